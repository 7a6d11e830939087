import type { Box } from '../../../results.ts';
import { squeeze } from '../matching/canonical.ts';
import type { SeenGlyph } from './glyphs.ts';
import type { ReadWord } from './tiles.ts';

/** After this many letters that were recognised as what their font says, it is believed. */
const leastRight = 40;
/** Largest share of letters that were recognised as others. */
const mostWrong = 0.15;
const sureWord = 0.6;

/**
 * Fonts of one file whose letters look like what they say, as the recogniser has confirmed. A font may
 * draw anything for its codes, so what text readers see is not what people see until then.
 */
export class HonestFonts {
  readonly #read = new Map<string, { right: number; wrong: number }>();

  has(font: string): boolean {
    const { right = 0, wrong = 0 } = this.#read.get(font) ?? {};
    return right >= leastRight && wrong <= mostWrong * (right + wrong);
  }

  /** Compares recognised words with the glyphs that they cover; boxes are in the same unit. */
  learn(words: readonly ReadWord[], glyphs: readonly SeenGlyph[]): void {
    for (const { text, box, confidence } of words) {
      if (confidence < sureWord) continue;
      const under = glyphs.filter((glyph) => hasMiddleIn(glyph.box, box));
      const [first] = under;
      if (!first || under.some(({ font }) => font !== first.font)) continue;
      const said = squeeze(
        [...under]
          .sort((a, b) => a.box[0] - b.box[0])
          .map((glyph) => glyph.text)
          .join(''),
      );
      const letters = squeeze(text);
      const counts = this.#read.get(first.font) ?? { right: 0, wrong: 0 };
      const right = said.length === letters.length ? sameLetters(said, letters) : 0;
      counts.right += right;
      counts.wrong += Math.max(said.length, letters.length) - right;
      this.#read.set(first.font, counts);
    }
  }
}

/** How many letters of two texts of one length are the same. */
const sameLetters = (a: string, b: string): number =>
  Array.from({ length: a.length }).filter((_, at) => a[at] === b[at]).length;

function hasMiddleIn([x0, y0, x1, y1]: Box, box: ReadWord['box']): boolean {
  const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
  return x > box[0] && x < box[2] && y > box[1] && y < box[3];
}

let open: { path: string; fonts: HonestFonts } | undefined;

/** What is known of the fonts of a file; kept for the last file. */
export function honestFontsOf(path: string): HonestFonts {
  if (open?.path !== path) open = { path, fonts: new HonestFonts() };
  return open.fonts;
}

/** Forgets the last file. */
export function forgetFonts(): void {
  open = undefined;
}
