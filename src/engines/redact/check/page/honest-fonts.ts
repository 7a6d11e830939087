import type { Box } from '../../../results.ts';
import { squeeze } from '../matching/canonical.ts';
import type { SeenGlyph } from './glyphs.ts';
import type { ReadWord } from './tiles.ts';

/** After this many letters that were recognised as what their font says, it is believed. */
const leastRight = 40;
/** Largest share of letters that were recognised as others. */
const mostWrong = 0.15;
const sureWord = 0.6;
/** So often lines are read for the sake of one letter. */
const mostTaught = 2;

type Counts = { right: number; wrong: number };
type FontCounts = Counts & { letters: Map<string, Counts> };

/**
 * Letters of the fonts of one file that look like what they say, as the recogniser has confirmed. A
 * font may draw anything for its codes, so what text readers see is not what people see until then.
 */
export class HonestFonts {
  readonly #read = new Map<string, FontCounts>();
  /** How often lines were read for the sake of a letter. */
  readonly #taught = new Map<string, number>();

  /** Whether the font of a letter is believed, and this letter of it was read: others may still lie. */
  has(glyph: SeenGlyph): boolean {
    const read = this.#read.get(glyph.font);
    if (!read || read.right < leastRight) return false;
    if (read.wrong > mostWrong * (read.right + read.wrong)) return false;
    const { right = 0, wrong = 0 } = read.letters.get(letterOf(glyph)) ?? {};
    return right > wrong;
  }

  /** Whether reading more lines may settle a letter: some are always read as others. */
  canLearn(glyph: SeenGlyph): boolean {
    return (this.#taught.get(keyOf(glyph)) ?? 0) < mostTaught;
  }

  /** Notes that lines with these letters are read to learn them. */
  teach(glyphs: readonly SeenGlyph[]): void {
    for (const key of new Set(glyphs.map(keyOf))) {
      this.#taught.set(key, (this.#taught.get(key) ?? 0) + 1);
    }
  }

  /** Compares recognised words with the glyphs that they cover; boxes are in the same unit. */
  learn(words: readonly ReadWord[], glyphs: readonly SeenGlyph[]): void {
    for (const { text, box, confidence } of words) {
      if (confidence < sureWord) continue;
      const under = glyphs.filter((glyph) => hasMiddleIn(glyph.box, box));
      const [first] = under;
      if (!first || under.some(({ font }) => font !== first.font)) continue;
      const sorted = [...under].sort((a, b) => a.box[0] - b.box[0]);
      const said = sorted.map((glyph) => ({ letter: letterOf(glyph), as: squeeze(glyph.text) }));
      const counts = this.#read.get(first.font) ?? { right: 0, wrong: 0, letters: new Map() };
      compare(said, squeeze(text), counts);
      this.#read.set(first.font, counts);
    }
  }
}

/**
 * A letter as its font draws it: what was read of one outline says nothing of another, should a font of the
 * same name and size have one.
 */
function letterOf({ text, shape }: SeenGlyph): string {
  return shape ? `${text} ${shape()}` : text;
}

/** A letter of a font as its font draws it. */
export function keyOf(glyph: SeenGlyph): string {
  return `${glyph.font} ${letterOf(glyph)}`;
}

/** Counts each letter that a font says as right or wrong; all as wrong if their number differs. */
function compare(
  said: readonly { letter: string; as: string }[],
  read: string,
  counts: FontCounts,
): void {
  const length = said.reduce((sum, { as }) => sum + as.length, 0);
  counts.wrong += Math.max(0, read.length - length);
  let at = 0;
  for (const { letter, as } of said) {
    const isRight = length === read.length && read.slice(at, at + as.length) === as;
    at += as.length;
    counts[isRight ? 'right' : 'wrong'] += as.length;
    // A word of another length says nothing of its single letters.
    if (length !== read.length) continue;
    const own = counts.letters.get(letter) ?? { right: 0, wrong: 0 };
    own[isRight ? 'right' : 'wrong'] += 1;
    counts.letters.set(letter, own);
  }
}

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
