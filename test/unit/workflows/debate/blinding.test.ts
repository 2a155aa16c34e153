import { describe, expect, test } from "vitest";
import { blinder } from "#workflows/debate/rules/blinding";

const models = ["openai/gpt-5-mini", "nowhere/acme/Zorblax-7B-instruct"];
const hide = blinder({ models, caseText: "Claude sold his land to Mr Gemini. Agent 7 of the buyer signed." });

describe("hidden from a blind judge:", () => {
  test.each([
    "As an AI language model developed by OpenAI, I hold that the offer stands.",
    "I'm a large language model trained by Anthropic; the offer stands.",
    "Como um modelo de linguagem criado pela OpenAI, sustento que a proposta vincula.",
    "Sou uma inteligência artificial e sustento que a proposta vincula.",
    "Como un modelo de lenguaje de OpenAI, sostengo que vincula.",
    "En tant que modèle de langage, je soutiens.",
    "Als KI-Modell von Mistral meine ich.",
  ])("a clause in which a model names itself: %s", (text) => {
    expect(hide(text)).toContain("[…]");
    expect(hide(text)).not.toMatch(
      /language model|modelo de|modèle|inteligência artificial|KI-|OpenAI|Anthropic|Mistral/iu,
    );
  });

  test.each([
    "gpt-5-mini",
    "GPT-5 mini",
    "GPT 5 Mini",
    "openai/gpt-5-mini",
    "Zorblax-7B",
    "zorblax 7b instruct",
    "acme/Zorblax-7B-instruct",
    "Zorblax",
  ])("a model of this run: %s", (name) => {
    expect(hide(`So ${name} argues.`)).toBe("So […] argues.");
  });

  test.each([
    "ChatGPT",
    "GPT-4o",
    "DeepSeek-V3",
    "Llama 3.1",
    "llama-3",
    "Qwen2.5-72B",
    "Grok 4",
    "Anthropic",
    "Sabiá-3",
    "sabia-3",
    "Sabiá 3",
    "Cohere",
    "Command R+",
    "Kimi",
    "Mistral",
    "Mistral Large 2",
    "xAI",
    "Gemma 2",
  ])("a well-known model: %s", (name) => {
    expect(hide(`Here ${name} argues.`)).toBe("Here […] argues.");
  });

  test.each(["Debater 2", "debater_1", "Debatedor nº 3", "debatedora 1", "Debatiente 2", "Agent #4", "participante 2"])(
    "a seat: %s",
    (seat) => {
      expect(hide(`as ${seat} said, it binds`)).toBe("as […] said, it binds");
    },
  );
});

describe("kept as part of the case:", () => {
  test("names that question or evidence use, also those of models", () => {
    const text = "Claude sold to Gemini, and agent 7 signed.";
    expect(hide(text)).toBe(text);
  });

  test("quotes, word for word", () => {
    const quote = "ChatGPT shall not be cited, said Debater 2";
    expect(hide(`"${quote}" binds; ChatGPT agrees.`, [quote])).toBe(`"${quote}" binds; […] agrees.`);
  });

  test("people with the name of a model", () => {
    const other = blinder({ models: [], caseText: "" });
    for (const text of ["Claude Monet sold it.", "Jean-Claude Duval signed.", "Gemma Alves is the buyer."])
      expect(other(text)).toBe(text);
    expect(other("Claude holds this, and Claude 3.5 Sonnet too.")).toBe("[…] holds this, and […] too.");
  });

  test("a word that is the name of a model of this run, unless it is written as a name", () => {
    const other = blinder({ models: ["maritaca/sabia", "other/default"], caseText: "" });
    expect(other("O réu sabia do prazo; judgment by default.")).toBe("O réu sabia do prazo; judgment by default.");
    expect(other("Sabia sustenta isso.")).toBe("[…] sustenta isso.");
  });

  test("hidden words are reported verbatim", () => {
    const hidden: string[] = [];
    hide("ChatGPT and Debater 2 agree.", [], (words) => hidden.push(words));
    expect(hidden.toSorted()).toEqual(["ChatGPT", "Debater 2"]);
  });

  test("words that only resemble names", () => {
    for (const text of [
      "João sabia do colega constituído; o advogado não sabia, e não sabia 3 coisas.",
      "Sabia o réu que o bem era alheio? O sabiá cantava.",
      "El contrato se llama compraventa. Llama la atención que se llama 3 veces.",
      "The two provisions cohere, and so do the others.",
      "He was in command; the gemini were twins, and the llama and the grok too.",
      "o mistral soprava, a gema e a gemma",
      "The mistrial was declared.",
      "o agente público e a agência",
      "Section 2 of the Act",
      "debate 2 of the council",
      "grokking it",
    ])
      expect(hide(text)).toBe(text);
  });
});
