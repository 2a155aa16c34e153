export type { EvidenceIndex, EvidenceText, PaperQuery, PaperSearch, Retrieved } from "../retrieval/types";
