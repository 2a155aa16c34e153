import type { CHECKLIST } from "../artifacts";
import type { OutputLanguage } from "../rules/language";
import type { Options, StopReason } from "../contract";

type Topology = Options["topology"];
type Point = (typeof CHECKLIST)[number];

/** Headings and fixed phrases of the report. Quoted texts keep their own language. */
export interface Translation {
  answer: string;
  noAnswer: string;
  confidence: string;
  voteShare: string;
  annex: string;
  decided: Record<StopReason, string>;
  caution: string;
  cautions: {
    unknown(id: string, by: string): string;
    notShown(source: string, by: string): string;
    misquoted(source: string, by: string): string;
    unsupported(source: string, by: string): string;
    unjudged(source: string): string;
    foreign(source: string, jurisdiction: string): string;
    none: string;
    noCitations: string;
    fromMemory(law: string): string;
    unseenNumbers(numbers: string): string;
    otherWinner(by: string): string;
    otherSides: string;
    withdrawn: string;
    points(names: string): string;
    missing(corpora: string): string;
  };
  why: string;
  checklist: string;
  points: Record<Point, string>;
  met: string;
  notMet: string;
  note: string;
  question: string;
  jurisdiction: string;
  citations: string;
  columns: [string, string, string, string, string, string, string];
  quoteFound: string;
  quoteMissing: string;
  supports: string;
  doesNotSupport: string;
  notJudged: string;
  unknownAuthority: string;
  otherJurisdiction: string;
  sides: string;
  review: string;
  reviewPrompt: string;
  newEvidence(sources: string): string;
  party(letter: string): string;
  /** Name of the agent, or of a sample, that answered without a debate. */
  alone(sample: string | null): string;
  defends: string;
  winner: string;
  rule: string;
  round(round: number): string;
  opening: string;
  movedTo(position: string): string;
  application: string;
  rebuttals: string;
  concedes: string;
  cites: string;
  honest: string;
  questions: string;
  askedBy: Record<"cross_examiner" | "human", string>;
  noteBefore: string;
  evidence: string;
  noEvidence: string;
  askedFor(by: string, round: number): string;
  broughtBy: string;
  votes: string;
  invalidVotes: string;
  how: string;
  runName: string;
  counts(sides: number, rounds: number): string;
  sight: string;
  topologies: Record<Topology, string>;
  rehearsal: string;
  models: string;
  judge: string;
  /** `labeled_alike`: the judge saw the models, and all were the same. */
  judging: Record<"blind" | "labeled" | "labeled_alike", string>;
  disclaimer: string;
}

export const TRANSLATIONS: Record<OutputLanguage, Translation> = {
  en: {
    answer: "Answer",
    noAnswer: "No answer: none was given among the choices.",
    confidence: "confidence",
    voteShare: "share of the votes",
    annex: "Annex",
    decided: {
      judged: "Decided by the judge.",
      agreed: "The debaters came to agree; confirmed by the judge.",
      majority: "The judge named no choice, twice; this is what most debaters held at the end.",
      invalid: "The answers named none of the choices, and nothing else decided.",
      answered: "Answered by one agent, without a debate.",
      voted: "Answered by a vote of samples, without a debate.",
      rejected_by_human: "A person ended the run.",
    },
    caution: "Before you rely on this",
    cautions: {
      unknown: (id, by) => `**Not in the evidence**: ${by} cited "${id}", which this case does not have.`,
      notShown: (source, by) => `**Cited unseen**: ${by} cited ${source} before it had been shown to it.`,
      misquoted: (source, by) => `**Wrong quote**: ${by} quoted words that do not stand in ${source}.`,
      unsupported: (source, by) => `**Not supported**: ${source} does not say what ${by} cited it for.`,
      unjudged: (source) => `**Not judged**: nobody has checked whether ${source} says what it is cited for.`,
      foreign: (source, jurisdiction) => `**Another jurisdiction**: ${source} (${jurisdiction}).`,
      none: "Every citation was found in the evidence, word for word, and supports what it is cited for, as a model judged.",
      fromMemory: (law) => `**Named from memory, not checked**: ${law}. It is not among the authorities.`,
      unseenNumbers: (numbers) =>
        `**Compare these numbers**: ${numbers}. The answer names them, and they stand in neither question nor evidence.`,
      otherWinner: (by) =>
        `**Answer and argument differ**: ${by} argued best, and defends another answer than this one.`,
      otherSides: "Faults of the other sides, on which the answer does not rest:",
      withdrawn: "withdrawn later",
      noCitations: "No authority was cited: the answer rests on what the models know.",
      points: (names) => `**Not met in the checklist**: ${names}.`,
      missing: (corpora) => `**Not looked in**: corpora that were no longer there: ${corpora}.`,
    },
    why: "Why",
    checklist: "Checklist",
    points: {
      doctrine_named: "Doctrine named",
      on_point_authority: "Authority on point",
      accurate_use: "Authorities used accurately",
      logical_application: "Application to the facts follows",
      opponent_addressed: "Opposing argument met",
    },
    met: "yes",
    notMet: "no",
    note: "Note",
    question: "Question",
    jurisdiction: "Jurisdiction",
    citations: "Citations",
    columns: ["", "Authority", "Quote", "Cited for", "By", "Check", "Note"],
    quoteFound: "quote found",
    quoteMissing: "quote NOT found",
    supports: "supports",
    doesNotSupport: "does NOT support",
    notJudged: "support not judged",
    unknownAuthority: "NOT among what was shown",
    otherJurisdiction: "other jurisdiction",
    sides: "The sides",
    review: "The case before judgment",
    reviewPrompt:
      "This is the case as it stands before judgment. Approve to have it judged; the judge reads your comment and weighs it. You may add questions to sides, and evidence: every side is then asked what the evidence changes. Reject ends the run.",
    newEvidence: (sources) => `New evidence has been brought: ${sources}. What does it change?`,
    party: (letter) => `Party ${letter}`,
    alone: (sample) => (sample === null ? "the agent" : `sample ${sample}`),
    defends: "Defends",
    winner: "argued best",
    rule: "Rule",
    round: (round) => `Rebuttal, round ${round}`,
    opening: "Opening",
    movedTo: (position) => `Went over to: ${position}`,
    application: "Application to the facts",
    rebuttals: "Against the other side",
    concedes: "Concedes",
    cites: "Cites",
    honest: "Own confidence, which the judge did not see",
    questions: "Questions before judgment",
    askedBy: { cross_examiner: "The cross-examiner", human: "A person" },
    noteBefore: "Note of a person before judgment",
    evidence: "Evidence",
    noEvidence: "There was no evidence.",
    askedFor: (by, round) => `asked for by ${by} in round ${round}`,
    broughtBy: "brought by a person before judgment",
    votes: "Votes",
    invalidVotes: "none of the choices",
    how: "How this was made",
    runName: "Run",
    counts: (sides, rounds) => `${sides} sides, ${rounds} ${rounds === 1 ? "round" : "rounds"}`,
    sight: "What each side read before a rebuttal",
    topologies: {
      sparse_ring: "the last brief of one other side, in a ring",
      sparse_rival: "the last brief of its strongest rival",
      sparse_all: "the last briefs of all other sides",
      full: "all briefs of all rounds",
    },
    rehearsal:
      "A rehearsal, made with a test key: no model has thought about this question. The answer and what is said for it mean nothing.",
    models: "Models",
    judge: "Judge",
    judging: {
      blind: "blind: names left out, order shuffled",
      labeled: "labeled: the judge knew the models",
      labeled_alike: "labeled: the judge knew the model, which was the same for all",
    },
    disclaimer:
      "Language models wrote this. Quotes were compared with the evidence by a program; whether they support a proposition was judged by a model. Read the authorities before you act.",
  },
  pt: {
    answer: "Resposta",
    noAnswer: "Sem resposta: nenhuma das alternativas foi indicada.",
    confidence: "confiança",
    voteShare: "parcela dos votos",
    annex: "Anexo",
    decided: {
      judged: "Decisão do juiz.",
      agreed: "Os debatedores chegaram a acordo, confirmado pelo juiz.",
      majority: "O juiz não indicou alternativa, por duas vezes; esta é a posição da maioria dos debatedores ao final.",
      invalid: "As respostas não indicaram nenhuma das alternativas, e nada mais decidiu.",
      answered: "Resposta de um só agente, sem debate.",
      voted: "Resposta por voto de amostras, sem debate.",
      rejected_by_human: "Uma pessoa encerrou a execução.",
    },
    caution: "Antes de confiar nisto",
    cautions: {
      unknown: (id, by) => `**Não consta das provas**: ${by} citou "${id}", que não está entre as fontes deste caso.`,
      notShown: (source, by) => `**Citada sem ter sido vista**: ${by} citou ${source} antes que lhe fosse mostrada.`,
      misquoted: (source, by) => `**Citação errada**: ${by} citou palavras que não constam de ${source}.`,
      unsupported: (source, by) => `**Sem apoio**: ${source} não diz aquilo que ${by} afirma.`,
      unjudged: (source) => `**Não avaliada**: ninguém verificou se ${source} diz o que se afirma.`,
      foreign: (source, jurisdiction) => `**Outra jurisdição**: ${source} (${jurisdiction}).`,
      none: "Todas as citações constam das fontes, palavra por palavra, e, segundo um modelo, sustentam o que se afirma.",
      fromMemory: (law) => `**Indicado de memória, sem conferência**: ${law}. Não consta das fontes.`,
      unseenNumbers: (numbers) =>
        `**Confira estes números**: ${numbers}. A resposta os menciona, e não constam nem da questão nem das fontes.`,
      otherWinner: (by) => `**Resposta e argumentação divergem**: ${by} argumentou melhor e defende outra resposta.`,
      otherSides: "Falhas das outras partes, nas quais a resposta não se apoia:",
      withdrawn: "retirada depois",
      noCitations: "Nenhuma fonte foi citada: a resposta se apoia no que os modelos sabem.",
      points: (names) => `**Não atendido na lista de verificação**: ${names}.`,
      missing: (corpora) => `**Não consultados**: acervos que já não existiam: ${corpora}.`,
    },
    why: "Por quê",
    checklist: "Lista de verificação",
    points: {
      doctrine_named: "Doutrina ou dispositivo indicado",
      on_point_authority: "Fonte pertinente",
      accurate_use: "Fontes usadas com exatidão",
      logical_application: "Aplicação aos fatos é coerente",
      opponent_addressed: "Argumento contrário enfrentado",
    },
    met: "sim",
    notMet: "não",
    note: "Observação",
    question: "Questão",
    jurisdiction: "Jurisdição",
    citations: "Citações",
    columns: ["", "Fonte", "Trecho", "Citada para", "Por", "Verificação", "Observação"],
    quoteFound: "trecho encontrado",
    quoteMissing: "trecho NÃO encontrado",
    supports: "sustenta",
    doesNotSupport: "NÃO sustenta",
    notJudged: "apoio não avaliado",
    unknownAuthority: "NÃO consta do que foi mostrado",
    otherJurisdiction: "outra jurisdição",
    sides: "As partes",
    review: "O caso antes do julgamento",
    reviewPrompt:
      "Este é o caso antes do julgamento. Aprove para que seja julgado; o juiz lê e pondera o seu comentário. É possível acrescentar perguntas às partes e novas fontes: cada parte é então ouvida sobre elas. Rejeitar encerra a execução.",
    newEvidence: (sources) => `Foram trazidas novas fontes: ${sources}. O que muda com elas?`,
    party: (letter) => `Parte ${letter}`,
    alone: (sample) => (sample === null ? "o agente" : `amostra ${sample}`),
    defends: "Defende",
    winner: "melhor argumentação",
    rule: "Regra",
    round: (round) => `Réplica, rodada ${round}`,
    opening: "Abertura",
    movedTo: (position) => `Passou a defender: ${position}`,
    application: "Aplicação aos fatos",
    rebuttals: "Contra a outra parte",
    concedes: "Admite",
    cites: "Cita",
    honest: "Confiança própria, que o juiz não viu",
    questions: "Perguntas antes do julgamento",
    askedBy: { cross_examiner: "O inquiridor", human: "Uma pessoa" },
    noteBefore: "Observação de uma pessoa antes do julgamento",
    evidence: "Fontes",
    noEvidence: "Não havia fontes.",
    askedFor: (by, round) => `pedida por ${by} na rodada ${round}`,
    broughtBy: "trazida por uma pessoa antes do julgamento",
    votes: "Votos",
    invalidVotes: "nenhuma das alternativas",
    how: "Como isto foi feito",
    runName: "Execução",
    counts: (sides, rounds) => `${sides} partes, ${rounds} ${rounds === 1 ? "rodada" : "rodadas"}`,
    sight: "O que cada parte leu antes da réplica",
    topologies: {
      sparse_ring: "a última peça de uma das outras partes, em círculo",
      sparse_rival: "a última peça da rival mais forte",
      sparse_all: "as últimas peças de todas as outras partes",
      full: "todas as peças de todas as rodadas",
    },
    rehearsal:
      "Ensaio, feito com chave de teste: nenhum modelo analisou esta questão. A resposta e o que se diz em seu favor nada significam.",
    models: "Modelos",
    judge: "Juiz",
    judging: {
      blind: "às cegas: nomes omitidos, ordem sorteada",
      labeled: "identificado: o juiz conhecia os modelos",
      labeled_alike: "identificado: o juiz conhecia o modelo, o mesmo para todas as partes",
    },
    disclaimer:
      "Texto escrito por modelos de linguagem. Um programa comparou os trechos com as fontes; um modelo avaliou se sustentam o que se afirma. Leia as fontes antes de agir.",
  },
};
