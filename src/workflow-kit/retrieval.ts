export type { EvidenceIndex, EvidenceText, PaperQuery, PaperSearch, Retrieved, SourcePaper } from "#retrieval/types";
