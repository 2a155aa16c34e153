import { expect, test } from "vitest";
import { languageOf } from "#workflow-kit/language";

test.each([
  ["en", "An offer by a merchant in a signed writing is not revocable during the time stated."],
  ["pt", "A proposta de contrato obriga o proponente, se o contrário não resultar dos termos dela."],
  ["es", "El contrato obliga a las partes que lo han firmado, y no se puede revocar sin causa."],
  ["fr", "Le contrat oblige les parties qui l'ont signé, et ne peut pas être rétracté par une seule."],
  ["de", "Wer einem anderen die Schließung eines Vertrags anträgt, ist an den Antrag gebunden."],
  [null, "要约不得撤销"],
  [null, "UCC § 2-205"],
  [null, ""],
])("%s: %s", (language, text) => {
  expect(languageOf(text)).toBe(language);
});
