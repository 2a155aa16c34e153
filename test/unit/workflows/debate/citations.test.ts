import { describe, expect, test } from "vitest";
import { checkCitations, numbered, shownInOutput, withSupport } from "#workflows/debate/rules/citations";
import { matchOf } from "#workflows/debate/rules/quotes";
import { authority } from "#workflows/debate/samples";

const quoteFound = (quote: string, excerpt: string) => ["verbatim", "abridged"].includes(matchOf(quote, excerpt));

const EXCERPT =
  "Art. 34. Constitui infração disciplinar: VIII – publicar na imprensa, desnecessária e habitualmente, alegações forenses ou relativas a “causas pendentes”; § 1º The offeror\u2019s promise\n   is binding.";

describe("a quote is found", () => {
  test.each([
    ["as it stands", "publicar na imprensa, desnecessária e habitualmente"],
    ["whatever the white space", "publicar  na\n imprensa,\tdesnecessária"],
    ["whatever the dashes", "infração disciplinar: VIII - publicar na imprensa"],
    ["whatever the quotation marks", 'relativas a "causas pendentes"'],
    ["whatever the apostrophe", "The offeror's promise is binding"],
    ["in the other Unicode form", "infração disciplinar".normalize("NFD")],
    ["with compatibility forms", "§ 1o The offeror’s promise"],
    ["with what cannot be seen", "publicar\u200b na im\u00adprensa, desnecessária"],
    ["whatever the case", "CONSTITUI INFRAÇÃO DISCIPLINAR"],
    ["with marks around it", "“publicar na imprensa, desnecessária e habitualmente…”."],
    ["with omissions", "Constitui infração disciplinar […] alegações forenses ... causas pendentes"],
  ])("%s", (_how, quote) => {
    expect(quoteFound(quote, EXCERPT)).toBe(true);
  });

  test.each([
    ["frequentar as aulas e arguir a nulidade", "Art. 7º É vedado freqüentar as aulas e argüir a nulidade."],
    ["freqüentar as aulas, por ideia sua", "frequentar as aulas, por idéia sua"],
    ["a assembleia heroica leem o voo", "A assembléia heróica lêem o vôo."],
    ["dass der Vertrag nichtig ist", "Er weiß, daß der Vertrag nichtig ist."],
    ["العقد شريعة المتعاقدين", "العَقْدُ شَرِيعَةُ المُتَعَاقِدِينَ"],
  ])("in an older spelling, or in ours: %s", (quote, excerpt) => {
    expect(quoteFound(quote, excerpt)).toBe(true);
  });

  test("across a hyphenated line break", () => {
    expect(quoteFound("constitui infração disciplinar", "Art. 34. Consti-\ntui infra-\r\n  ção disciplinar.")).toBe(
      true,
    );
    expect(quoteFound("guarda-chuva do devedor", "o guarda-\nchuva do devedor")).toBe(false);
  });

  test("in scripts without spaces", () => {
    expect(quoteFound("要约不得撤销", "第十九条 有下列情形的，要约不得撤销：要约人确定了承诺期限。")).toBe(true);
  });
});

describe("a quote is not found", () => {
  test.each([
    ["that is empty", ""],
    ["of blanks and marks", " “…” "],
    ["too short to prove anything", "imprensa"],
    ["of a word or two and an omission", "Art. […] na"],
    ["whose words stand elsewhere", "publicar na imprensa, necessária e habitualmente"],
    ["that ends within a word", "publicar na imprensa, desnecess"],
    ["that ends within a number", "Constitui infração disciplinar: VII"],
    ["whose parts are in another order", "alegações forenses […] Constitui infração disciplinar"],
    ["with an accent that changes the word", "publicar na imprensa, desnecessaria é habitualmente"],
    ["in another language", "to publish needlessly and habitually in the press"],
  ])("%s", (_how, quote) => {
    expect(quoteFound(quote, EXCERPT)).toBe(false);
  });
});

describe("citations are checked", () => {
  const authorities = [authority("p1"), authority("p2", { jurisdiction: "BR" })];
  const quote = "An offer that is held open for a stated time cannot be revoked";
  const cite = (authority_id: string, more = {}) => ({ authority_id, quote, proposition: "It binds.", ...more });
  const check = (citations: ReturnType<typeof cite>[], shown = ["p1", "p2"]) =>
    checkCitations([{ debater: "debater_1", round: 1, citations, shown }], authorities, "US");

  test("a label is replaced by its id", () => {
    expect(check([cite("S1"), cite("[s2]"), cite("S9")])).toMatchObject([
      { authority_id: "p1", authority: "shown", quote_found: true },
      { authority_id: "p2", authority: "shown" },
      { authority_id: "S9", authority: "unknown", supported: false },
    ]);
  });

  test.each([
    ["S1 (UCC § 2-205)", "p1"],
    ["[S1] UCC § 2-205", "p1"],
    ["S1: UCC § 2-205", "p1"],
    ["UCC § 2-205 [S2]", "p2"],
    ["s2, art. 427", "p2"],
    ["S1 and S2", null],
    ["S1.5", null],
    ["S12", null],
    ["The S1 Act of 1999", null],
  ])("a label with the source's name beside it is the label: %s", (name, id) => {
    expect(check([cite(name)])[0]).toMatchObject(
      id ? { authority_id: id, authority: "shown" } : { authority: "unknown" },
    );
  });

  test("a correct one", () => {
    expect(check([cite(" p1 ")])).toEqual([
      {
        ...cite("p1"),
        external_id: null,
        cited_by: "debater_1",
        round: 1,
        authority: "shown",
        quote_match: "verbatim",
        quote_found: true,
        foreign: false,
        supported: null,
        note: null,
      },
    ]);
  });

  test("an invented authority, a wrong quote, and a foreign jurisdiction have different results", () => {
    expect(check([cite("p9"), cite("p1", { quote: "An offer never binds anybody at all" }), cite("p2")])).toMatchObject(
      [
        { authority: "unknown", quote_found: false, supported: false },
        { authority: "shown", quote_found: false, supported: null },
        { authority: "shown", quote_found: true, foreign: true },
      ],
    );
  });

  test("an authority of the run that this debater was not shown counts as invented, even with the correct words", () => {
    expect(check([cite("p2")], ["p1"])).toMatchObject([
      { authority: "not_shown", quote_found: false, supported: false },
    ]);
  });

  test("the same citation of two debaters has one number, and one place in the output", () => {
    const both = ["debater_2", "debater_1"].flatMap((debater) =>
      checkCitations([{ debater, round: 1, citations: [cite("p1")], shown: ["p1"] }], authorities, "US"),
    );
    expect(numbered(both).map(({ number }) => number)).toEqual(["C1"]);
    expect(shownInOutput(both)).toMatchObject({
      citations: [{ cited_by: ["debater_1", "debater_2"] }],
      invented_citations: [],
    });
  });

  test("the clerk decides on support, but an invented authority supports nothing", () => {
    const citations = numbered(check([cite("p1"), cite("p9"), cite("p2")]));
    const supports = [
      { citation: "c 1", supported: true, note: "yes" },
      { citation: "C2", supported: true, note: "looks right" },
    ];
    expect(withSupport(citations, supports).map(({ supported, note }) => [supported, note])).toEqual([
      [true, "yes"],
      [false, "looks right"],
      [null, null],
    ]);
    expect(shownInOutput(withSupport(citations, supports)).invented_citations).toEqual([
      { authority_id: "p9", proposition: "It binds.", cited_by: ["debater_1"] },
    ]);
  });
});
