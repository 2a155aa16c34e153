import { describe, expect, test } from "vitest";
import { checkCitations } from "#workflows/debate/rules/citations";
import { matchOf } from "#workflows/debate/rules/quotes";
import { authority } from "#workflows/debate/samples";

const LAWS = {
  en: "An offer by a merchant that gives assurance that it will be held open is not revocable, for lack of consideration, during the time stated. A gift may be revoked unless it was accepted in writing.",
  pt: "O advogado pode exercer a profissão em todo o território, salvo quando estiver suspenso. O contrato não obriga os proponentes que desconheciam as suas condições. A proposta obriga o proponente.",
  de: "Wer einem anderen die Schließung eines Vertrags anträgt, ist an den Antrag gebunden, es sei denn, dass er die Gebundenheit ausgeschlossen hat. Der Vertrag ist nicht wirksam.",
  es: "El contrato obliga a las partes que lo han firmado, salvo pacto en contrario. La oferta no puede ser revocada durante el plazo.",
  fr: "Le contrat oblige les parties qui l'ont signé, sauf clause contraire. L'offre ne peut pas être rétractée avant l'expiration du délai.",
};

describe("an omission that turns the meaning is no quote:", () => {
  test.each([
    ["en", "An offer by a merchant […] is […] revocable"],
    ["en", "A gift may be revoked […] accepted in writing"],
    ["pt", "O advogado pode exercer a profissão em todo o território […] quando estiver suspenso"],
    ["pt", "O contrato […] obriga os proponentes que desconheciam as suas condições"],
    ["de", "ist an den Antrag gebunden […] dass er die Gebundenheit ausgeschlossen hat"],
    ["de", "Der Vertrag ist […] wirksam"],
    ["es", "El contrato obliga a las partes […] pacto en contrario"],
    ["es", "La oferta […] puede ser revocada durante el plazo"],
    ["fr", "Le contrat oblige les parties qui l'ont signé […] clause contraire"],
    ["fr", "L'offre […] être rétractée avant l'expiration du délai"],
  ] as const)("%s: %s", (language, quote) => {
    expect(matchOf(quote, LAWS[language])).toBe("altered");
  });

  test("but counts where it drops nothing of the kind, and is called abridged", () => {
    expect(matchOf("An offer […] that it will be held open is not revocable", LAWS.en)).toBe("abridged");
    expect(matchOf("O contrato não obriga […] que desconheciam as suas condições", LAWS.pt)).toBe("abridged");
    expect(matchOf("Wer einem anderen […] ist an den Antrag gebunden", LAWS.de)).toBe("abridged");
    expect(matchOf("O advogado pode exercer a profissão", LAWS.pt)).toBe("verbatim");
  });

  test('a Portuguese "no" is no negation, a Spanish one is', () => {
    const law = "O advogado que atua no processo em nome da parte deve prestar contas no prazo da lei ao constituinte.";
    expect(matchOf("O advogado […] em nome da parte […] deve prestar contas", law)).toBe("abridged");
    const ley =
      "El abogado no puede en este caso y en los demás que la ley establece cobrar sus honorarios de la parte.";
    expect(matchOf("El abogado […] en este caso […] cobrar sus honorarios", ley)).toBe("altered");
  });

  test("a later place of the same words is tried", () => {
    const law = "The court may act. It may not act on appeal. The court shall act on appeal in the cases stated here.";
    expect(matchOf("The court […] act on appeal in the cases stated here", law)).toBe("abridged");
  });
});

describe("an omission is bounded", () => {
  const filler = "and the parties to it, their heirs and those who are in their place, ".repeat(8);

  test("longer ones do not count", () => {
    expect(
      matchOf("The offer binds […] during the time stated", `The offer binds ${filler} during the time stated.`),
    ).toBe("altered");
  });

  test("but whole items of an enumeration may be left out", () => {
    const items = Array.from({ length: 20 }, (_, item) => `${item + 1} - agir sem autorização ou não prestar contas;`);
    const law = `Art. 34. Constitui infração disciplinar: ${items.join(" ")} XXI - recusar-se a prestar contas ao cliente.`;
    expect(matchOf("Constitui infração disciplinar: […] XXI - recusar-se a prestar contas", law)).toBe("abridged");
    expect(matchOf("Constitui infração disciplinar: […] recusar-se a prestar contas", law)).toBe("abridged");
    expect(matchOf("Constitui infração disciplinar: […] autorização", law)).toBe("altered");
    const short = "The owner may: sell the land; not lease the land to others.";
    expect(matchOf("The owner may: […] lease the land to others", short)).toBe("altered");
  });
});

test("a citation says how its quote matches, and an altered one is not found", () => {
  const authorities = [authority("p1", { excerpt: LAWS.en })];
  const cite = (quote: string) => ({ authority_id: "S1", quote, proposition: "It can be revoked." });
  const citations = [
    cite("is not revocable, for lack of consideration"),
    cite("An offer by a merchant […] is not revocable"),
    cite("An offer by a merchant […] is […] revocable"),
    cite("An offer by anybody may be withdrawn"),
  ];
  const checked = checkCitations([{ debater: "debater_1", round: 1, citations, shown: ["p1"] }], authorities, "US");
  expect(checked.map(({ quote_match, quote_found }) => [quote_match, quote_found])).toEqual([
    ["verbatim", true],
    ["abridged", true],
    ["altered", false],
    ["missing", false],
  ]);
});
