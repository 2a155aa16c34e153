/** Estimates of text in a sans-serif font: a Worker has no fonts to measure with. Widths err on the wide side. */

const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}\uFF00-\uFFEF]/u;

/** Width in units of the font size. */
function characterWidth(character: string): number {
  if (/\p{M}/u.test(character)) return 0;
  if (character.codePointAt(0)! > 0xff && WIDE.test(character)) return 1.05;
  if (/[mwMW@%]/u.test(character)) return 0.95;
  if (/[\p{Lu}\p{N}]/u.test(character)) return 0.72;
  if (/[iljtfr.,:;'!|()[\] ]/u.test(character)) return 0.4;
  return 0.63;
}

export const textWidth = (text: string, fontSize: number): number =>
  [...text].reduce((width, character) => width + characterWidth(character), 0) * fontSize;

const MAX_LINES = 5;

/** Breaks a text into at most five lines of a width in pixels: between words, and inside of words that are too long. */
export function wrap(text: string, maxWidth: number, fontSize: number): string[] {
  const lines: string[] = [];
  let current = "";
  for (const word of text.split(" ")) {
    const extended = current === "" ? word : `${current} ${word}`;
    if (textWidth(extended, fontSize) <= maxWidth) {
      current = extended;
      continue;
    }
    if (current !== "") lines.push(current);
    const pieces = breakWord(word, maxWidth, fontSize);
    lines.push(...pieces.slice(0, -1));
    current = pieces.at(-1)!;
  }
  lines.push(current);
  return lines.length <= MAX_LINES ? lines : [...lines.slice(0, MAX_LINES - 1), `${lines[MAX_LINES - 1]!}…`];
}

function breakWord(word: string, maxWidth: number, fontSize: number): string[] {
  const pieces = [""];
  for (const character of word) {
    const last = pieces.length - 1;
    if (pieces[last] !== "" && textWidth(pieces[last] + character, fontSize) > maxWidth) pieces.push(character);
    else pieces[last] += character;
  }
  return pieces;
}
