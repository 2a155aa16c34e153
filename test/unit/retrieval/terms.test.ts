/** Terms of texts and queries: words by language, and places of statutes. */
import { describe, expect, it, test } from "vitest";
import { queryTerms, termsOf } from "#retrieval/terms";

const BR = { language: "pt-BR", jurisdiction: "BR" };
const US = { language: "en", jurisdiction: "US" };
const NOWHERE = { language: null, jurisdiction: null };
const places = (text: string, language = BR) =>
  [...new Set(termsOf(text, language).filter((term) => term.startsWith("§")))].sort();

describe("words", () => {
  it("lose diacritics, stop words and endings in the languages that are known", () => {
    expect(termsOf("Os advogados não com a advogada", BR)).toEqual(["advog", "advog"]);
    expect(termsOf("The lawyers were lending the tools", US)).toEqual(["lawyer", "lend", "tool"]);
  });

  it("are the same with and without diacritics, in any case, composed or not", () => {
    const [plain] = termsOf("sancao", BR);
    for (const written of ["sanção", "SANÇÃO", "sanc\u0327a\u0303o", "Sancão"])
      expect(termsOf(written, BR), written).toEqual([plain]);
  });

  it("are unchanged in an unknown language, stop words too", () => {
    expect(termsOf("The lawyers não são", NOWHERE)).toEqual(["the", "lawyers", "nao", "sao"]);
    expect(termsOf("Die Häuser der Anwälte", { language: "de", jurisdiction: null })).toEqual([
      "die",
      "hauser",
      "der",
      "anwalte",
    ]);
  });

  it("of scripts without blanks are pairs of letters", () => {
    expect(termsOf("弁護士法 ok", { language: "ja", jurisdiction: null })).toEqual(["弁護", "護士", "士法", "ok"]);
    expect(termsOf("法", NOWHERE)).toEqual(["法"]);
  });

  it("have only letters, digits and marks, for any hostile text", () => {
    const text = 'a"b\'c) OR (d* ^e:f -g "h"; DROP TABLE x; 1·2 §art34 ½ ⒈ ﷺ ℀ \u0000 \ud800 👩‍👩‍👧 e\u0301';
    for (const language of [BR, US, NOWHERE])
      for (const term of termsOf(text, language)) expect(term).toMatch(/^(?:[a-z0-9]|[^\p{ASCII}\s])+$/u);
  });

  it("are cut at a length that nobody types", () => {
    expect(termsOf("x".repeat(5000), NOWHERE)).toEqual(["x".repeat(40)]);
  });

  it("are cut at once in a word without an end", () => {
    for (const language of [BR, US]) expect(termsOf("ingly".repeat(200_000), language)).toEqual(["ingly".repeat(8)]);
  });
});

describe("places of statutes", () => {
  const written: [text: string, places: string[]][] = [
    ["art. 34", ["§art34"]],
    ["Artigo 5º", ["§art5"]],
    ["arts. 7º, 8º e 9º", ["§art7", "§art8", "§art9"]],
    ["art. 103-A", ["§art103·a"]],
    ["art. 1.238", ["§art1238"]],
    ["art. 5º, § 1º, inciso XI", ["§art5", "§incxi", "§par1"]],
    ["parágrafo 2º", ["§par2"]],
    ["Lei nº 8.906/94", ["§lei8906"]],
    ["Lei 8906, de 4 de julho de 1994", ["§lei8906"]],
    ["Lei Complementar n. 75", ["§lc75"]],
    ["Decreto-Lei 2.848/40", ["§dl2848"]],
    ["Emenda Constitucional nº 45", ["§ec45"]],
    ["uma parte do contrato de 1994", []],
    ["artes 34", []],
  ];
  test.each(written)("of Brazil: %s", (text, expected) => expect(places(text)).toEqual(expected));

  const english: [text: string, places: string[]][] = [
    ["Article 2", ["§art2"]],
    ["Articles 2 and 3", ["§art2", "§art3"]],
    ["Section 2-207 of the UCC", ["§par2·207", "§ucc"]],
    ["42 U.S.C. § 1983", ["§par1983", "§usc"]],
    ["Fed. R. Evid. 403", ["§fre"]],
    ["the Uniform Commercial Code", ["§ucc"]],
  ];
  test.each(english)("in English: %s", (text, expected) => expect(places(text, US)).toEqual(expected));

  it("are found by all names of a statute, in its jurisdiction", () => {
    for (const name of ["EAOAB", "Estatuto da Advocacia", "Estatuto da OAB", "Lei 8.906/1994"])
      expect(places(name), name).toEqual(["§lei8906"]);
    for (const name of ["CF", "CF/88", "CRFB", "Constituição Federal", "Constituição da República", "Carta Magna"])
      expect(places(name), name).toEqual(["§constituicao"]);
    expect(places("CP")).toEqual(places("Código Penal"));
    expect(places("EAOAB", US)).toEqual([]);
    expect(places("CF", { language: "pt", jurisdiction: "PT" })).toEqual([]);
    expect(places("EAOAB", { language: "pt", jurisdiction: "BR-SP" })).toEqual(["§lei8906"]);
  });
});

describe("a query", () => {
  it("has each term once, as each of the languages of the documents has it", () => {
    expect(queryTerms("advogados, advogados", [BR, US])).toEqual(["advog", "advogado"]);
    expect(queryTerms("the art. 5 of the CF", [BR, US])).toEqual(expect.arrayContaining(["§art5", "§constituicao"]));
    expect(queryTerms("the laws", [US, NOWHERE, { language: "de", jurisdiction: "US-CA" }])).toEqual([
      "law",
      "the",
      "laws",
    ]);
    expect(queryTerms("anything", [])).toEqual([]);
  });
});
