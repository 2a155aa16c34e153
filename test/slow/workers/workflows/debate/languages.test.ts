/** A debate reads and writes in the language of its question. */
import { expect, it } from "vitest";
import { debateOf } from "../../../../support/debate";
import { setUpRuns } from "../../../../support/runs";

const { runToEnd } = setUpRuns(debateOf);

it.each([
  [
    "Arabic",
    "ar",
    "EG",
    "وعد تاجر كتابة بإبقاء العرض مفتوحا عشرة أيام ثم سحبه. هل انعقد العقد؟",
    "إذا عُيِّنَ ميعادٌ للقبول التزم الموجب بالبقاء على إيجابه إلى أن ينقضي الميعاد.",
  ],
  [
    "Japanese",
    "ja",
    "JP",
    "商人が書面で申込みを十日間維持すると約束し、四日目に撤回した。契約は成立するか。",
    "承諾の期間を定めてした申込みは、撤回することができない。",
  ],
  [
    "German",
    "de",
    "Deutschland",
    "Ist ein Vertrag zustande gekommen, obwohl der Händler das Angebot widerrief?",
    "Wer einem anderen die Schließung eines Vertrags anträgt, ist an den Antrag gebunden, es sei denn, daß er die Gebundenheit ausgeschlossen hat.",
  ],
])(
  "a question in %s is debated on evidence in it, and its quotes are found",
  async (_name, language, jurisdiction, asked, text) => {
    for (const choices of [
      undefined,
      [
        { label: "甲", text: "✓" },
        { label: "乙", text: "✗" },
      ],
    ]) {
      const evidence = [{ source: "§ 1", jurisdiction: language === "de" ? "DE" : jurisdiction, text }];
      const run = await runToEnd({ input: { question: asked, choices, language, jurisdiction, evidence } });
      expect(run.output.stop_reason).toBe("judged");
      expect(run.output.citations.length).toBeGreaterThan(0);
      for (const citation of run.output.citations)
        expect(citation).toMatchObject({ quote_found: true, foreign: false });
    }
  },
);

it("reads sensibly in Portuguese", async () => {
  const run = await runToEnd({
    input: {
      question:
        "O comerciante assina proposta de venda de um carro, promete mantê-la por dez dias e a retira no quarto. O comprador aceita no quinto dia. Há contrato?",
      choices: [
        { label: "A", text: "Sim, porque a proposta obriga o proponente durante o prazo que fixou." },
        { label: "B", text: "Não, porque a proposta pode ser retirada a qualquer tempo." },
      ],
      jurisdiction: "BR",
      language: undefined,
      evidence: [
        {
          source: "Código Civil, art. 427",
          jurisdiction: "BR",
          text: "A proposta de contrato obriga o proponente, se o contrário não resultar dos termos dela.",
        },
      ],
    },
  });
  expect(run.output.rationale[0]).toMatch(/^A regra aplicável/);
  expect(run.output.report.text).toContain("## Antes de confiar nisto");
  expect(run.output.report.text).not.toMatch(/## (Answer|Why|The sides)/);
});
