import type { Glyph } from '../../pdf/page-glyphs.ts';
import { isRightToLeft } from '../../pdf/shapes/other-scripts.ts';
import { foldLetter } from '../../pdf/shapes/verdict.ts';
import type { Word } from '../../results.ts';
import type { Suspect } from './suspects.ts';

/** How often the recogniser has read a drawing as the character that its font says, and as others. */
export interface Counts {
  right: number;
  wrong: number;
}

/** Words below this confidence say nothing about a font. */
const sureWord = 0.6;
/** Outlines that are kept between files at most. */
const maxKept = 50_000;

/** What was read of drawings, for a project. */
export class Readings {
  readonly #counts = new Map<string, Counts>();
  readonly #tried = new Map<string, number>();

  of(key: string): Counts {
    const known = this.#counts.get(key);
    if (known) return known;
    if (this.#counts.size >= maxKept) this.#counts.clear();
    const counts = { right: 0, wrong: 0 };
    this.#counts.set(key, counts);
    return counts;
  }

  /** How often lines were read for the sake of a drawing. */
  tried(key: string): number {
    return this.#tried.get(key) ?? 0;
  }

  try(keys: Iterable<string>): void {
    if (this.#tried.size >= maxKept) this.#tried.clear();
    for (const key of keys) this.#tried.set(key, this.tried(key) + 1);
  }

  /** Compares recognised words with the glyphs that they cover; both in points as displayed. */
  learn(words: readonly Word[], glyphs: readonly Glyph[], suspects: readonly Suspect[]): void {
    const keys = new Map(suspects.map(({ glyph, key }) => [glyph, key]));
    for (const { text, box, confidence } of words) {
      if (confidence < sureWord) continue;
      const under = glyphs
        .filter(({ ink, visible }) => visible && hasMiddleIn(ink, box))
        .sort((a, b) => a.x - b.x || a.y - b.y);
      if (!under.some((glyph) => keys.has(glyph))) continue;
      // In the order in which the recogniser writes them, whatever their places are.
      if (isRightToLeft(text)) under.reverse();
      this.#compare(under, keys, squeezed(text));
    }
  }

  #compare(under: readonly Glyph[], keys: ReadonlyMap<Glyph, string>, read: string[]): void {
    const said = under.flatMap((glyph) =>
      squeezed(glyph.text).map((letter) => ({ glyph, letter })),
    );
    const isComparable = said.length === read.length;
    said.forEach(({ glyph, letter }, at) => {
      const key = keys.get(glyph);
      if (key === undefined) return;
      // A word of another length says nothing of single letters, but that most are not what they say.
      const isRight = isComparable && letter === read[at];
      this.of(key)[isRight ? 'right' : 'wrong'] += 1;
    });
  }
}

/** Letters and digits as they are compared. */
const squeezed = (text: string): string[] =>
  [...text.normalize('NFKC')].filter((one) => /[\p{L}\p{N}]/u.test(one)).map(foldLetter);

function hasMiddleIn(
  [x0, y0, x1, y1]: Glyph['ink'],
  box: readonly [number, number, number, number],
): boolean {
  const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
  return x > box[0] && x < box[2] && y > box[1] && y < box[3];
}

let kept: { isolation: string; readings: Readings } | undefined;

/** What was read for a project so far; nothing of another project is kept. */
export function readingsFor(isolation: string): Readings {
  if (kept?.isolation !== isolation) kept = { isolation, readings: new Readings() };
  return kept.readings;
}
