import type { OutputLanguage } from "../rules/language";

/** Sentences of mock debaters and judges in both languages. Every argument is a clipped, quoted part of the case. */
export interface Phrases {
  premise(position: string): string;
  bearing(source: string): string;
  withoutAuthority: string;
  facts(facts: string): string;
  met(position: string): string;
  examined(correction: string): string;
  conceded(position: string): string;
  remark(comment: string): string;
  proposition(rule: string): string;
  speaksFor(option: string): string;
  speaksAgainst(option: string): string;
  objection(option: string): string;
  analysis(question: string, source: string | null): string;
  issue(question: string): { issue: string; resolution: string };
  invented: { authority_id: string; quote: string };
  misquote: string;
  whoAmI: string;
  thesis: readonly [string, string, string, string, string, string];
  about(thesis: string, question: string): string;
  rule(question: string): string;
  misconception(position: string): string;
  asked(position: string): string;
  answered(asked: string, position: string): string;
  rationale(position: string, defended: boolean): [string, string, string];
  checked: string;
  unchecked: string;
  supported: string;
  unsupported: string;
  synthesis(thesis: string): string;
  outside: string;
  remembered: string;
  marked(law: string): string;
}

export const PHRASES: Record<OutputLanguage, Phrases> = {
  en: {
    premise: (position) => `On these facts the law leads to this answer: ${position}.`,
    bearing: (source) => `${source} governs the point in dispute.`,
    withoutAuthority: "The general rule on this point is settled (from memory).",
    facts: (facts) =>
      `The facts are these: "${facts}". Each element of the rule is met by them, so the answer follows.`,
    met: (position) => `That leaves out what the facts show; this still holds: ${position}.`,
    examined: (correction) => `What the examiner corrected is taken up: ${correction}.`,
    conceded: (position) => `A careful lawyer could also defend: ${position}.`,
    remark: (comment) => `A reader asks to mind this: ${comment}.`,
    proposition: (rule) => `The text lays this down: ${rule}.`,
    speaksFor: (option) => `The facts bear out each element of this: ${option}.`,
    speaksAgainst: (option) => `One element of this is not borne out by the facts: ${option}.`,
    objection: (option) => `The best objection, that a fact is missing for it, does not hold: ${option}.`,
    analysis: (question, source) =>
      `What is asked is this: "${question}". ${source ? `${source} decides it` : "No authority is given that decides it"}, and the facts fall under one answer only.`,
    issue: (question) => ({
      issue: `What follows from the facts of "${question}"`,
      resolution: "The governing rule is met; the objection that a fact is missing does not hold.",
    }),
    invented: {
      authority_id: "Mock Act 9999, section 7",
      quote: "whoever imitates shall always prevail in every case",
    },
    misquote: "and in all such cases the claimant shall prevail without any further proof whatsoever",
    whoAmI: "As an AI language model made by OpenAI, and as Debater 2 said, GPT-4 sees it so.",
    thesis: [
      "The claim succeeds in full",
      "The claim fails",
      "The claim succeeds in part",
      "The claim depends on a fact that is not proved",
      "Another remedy is the right one",
      "The question is decided by procedure",
    ],
    about: (thesis, question) => `${thesis}: ${question}.`,
    rule: (question) => `The rule that governs "${question}" decides it.`,
    misconception: (position) => `The rule has an exception that must be excluded before one may say: ${position}.`,
    asked: (position) => `Which fact of the case proves the element on which this depends: ${position}?`,
    answered: (asked, position) =>
      `To the question "${asked}": the facts as told prove it, and so this still holds: ${position}.`,
    rationale: (position, defended) => [
      `The governing rule, applied to the facts, leads to: ${position}.`,
      defended ? "Its defence answered the strongest point against it." : "No better reading has been shown.",
      "The authorities were read, and not what was said of them.",
    ],
    checked: "Found in the argument.",
    unchecked: "Not found in the argument.",
    supported: "It says so.",
    unsupported: "It does not say so.",
    synthesis: (thesis) =>
      `${thesis}\n\nThe governing rule applies to the facts as told. The counter-arguments do not change this: what they rest on is not among the facts.`,
    outside: "None of the above",
    remembered: "Mock Code, section 4711",
    marked: (law) => `${law} (from memory).`,
  },
  pt: {
    premise: (position) => `Diante destes fatos, o direito conduz a esta resposta: ${position}.`,
    bearing: (source) => `${source} rege o ponto em disputa.`,
    withoutAuthority: "A regra geral sobre este ponto é pacífica (de memória).",
    facts: (facts) =>
      `Os fatos são estes: "${facts}". Cada requisito da regra está presente, e a resposta decorre deles.`,
    met: (position) => `Isso deixa de lado o que os fatos mostram; continua valendo: ${position}.`,
    examined: (correction) => `Acolhe-se a correção apontada: ${correction}.`,
    conceded: (position) => `Um jurista cuidadoso também poderia defender: ${position}.`,
    remark: (comment) => `Um leitor pede atenção a isto: ${comment}.`,
    proposition: (rule) => `O texto dispõe: ${rule}.`,
    speaksFor: (option) => `Os fatos preenchem cada elemento disto: ${option}.`,
    speaksAgainst: (option) => `Um elemento disto não encontra apoio nos fatos: ${option}.`,
    objection: (option) => `A melhor objeção, de que lhe falta um fato, não procede: ${option}.`,
    analysis: (question, source) =>
      `Pergunta-se o seguinte: "${question}". ${source ? `Decide a questão ${source}` : "Nenhuma fonte dada a decide"}, e os fatos levam a uma só resposta.`,
    issue: (question) => ({
      issue: `O que decorre dos fatos de "${question}"`,
      resolution: "A regra aplicável está preenchida; a objeção de que falta um fato não procede.",
    }),
    invented: {
      authority_id: "Lei Ensaiada 9.999, art. 7º",
      quote: "quem ensaia sempre terá razão em todo e qualquer caso",
    },
    misquote: "e em todos esses casos o autor sempre vencerá, sem necessidade de qualquer outra prova",
    whoAmI: "Como um modelo de linguagem criado pela OpenAI, e como disse o debatedor nº 2, o GPT-4 assim entende.",
    thesis: [
      "O pedido procede integralmente",
      "O pedido improcede",
      "O pedido procede em parte",
      "O pedido depende de fato não provado",
      "O remédio adequado é outro",
      "A questão se resolve por regra processual",
    ],
    about: (thesis, question) => `${thesis}: ${question}.`,
    rule: (question) => `Decide a regra que rege "${question}".`,
    misconception: (position) => `A regra tem uma exceção, que é preciso afastar antes de se dizer: ${position}.`,
    asked: (position) => `Qual fato do caso prova o requisito de que depende isto: ${position}?`,
    answered: (asked, position) =>
      `À pergunta "${asked}": os fatos narrados o provam, e por isso continua valendo: ${position}.`,
    rationale: (position, defended) => [
      `A regra aplicável, diante dos fatos, conduz a: ${position}.`,
      defended ? "A sua defesa respondeu ao ponto mais forte em contrário." : "Não se mostrou leitura melhor.",
      "Foram lidas as fontes, e não o que delas se disse.",
    ],
    checked: "Presente na argumentação.",
    unchecked: "Ausente da argumentação.",
    supported: "É o que diz.",
    unsupported: "Não é o que diz.",
    synthesis: (thesis) =>
      `${thesis}\n\nA regra aplicável incide sobre os fatos narrados. Os argumentos contrários não mudam a conclusão: apoiam-se em fatos que não constam do caso.`,
    outside: "Nenhuma das anteriores",
    remembered: "Código Ensaiado, art. 4711",
    marked: (law) => `${law} (de memória).`,
  },
};
