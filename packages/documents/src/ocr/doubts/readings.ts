import type { Glyph } from '../../pdf/page-glyphs.ts';
import { isRightToLeft } from '../../pdf/shapes/other-scripts.ts';
import { foldLetter } from '../../pdf/shapes/verdict.ts';
import type { Word } from '../../results.ts';
import type { Suspect } from './suspects.ts';

/**
 * The number of times that the recogniser read a drawing as the character that its font declares,
 * and as another character.
 */
export interface Counts {
  right: number;
  wrong: number;
}

/** Minimum confidence of a word to count as evidence about a font. */
const minWordConfidence = 0.6;
/** Maximum number of outlines that are cached across files. */
const maxCached = 50_000;

/** The readings of drawings in a project. */
export class Readings {
  readonly #counts = new Map<string, Counts>();
  readonly #tried = new Map<string, number>();

  countsOf(key: string): Counts {
    const cached = this.#counts.get(key);
    if (cached) return cached;
    if (this.#counts.size >= maxCached) this.#counts.clear();
    const counts = { right: 0, wrong: 0 };
    this.#counts.set(key, counts);
    return counts;
  }

  /** Returns the number of attempts to identify a drawing by recognising lines. */
  attempts(key: string): number {
    return this.#tried.get(key) ?? 0;
  }

  recordAttempts(keys: Iterable<string>): void {
    if (this.#tried.size >= maxCached) this.#tried.clear();
    for (const key of keys) this.#tried.set(key, this.attempts(key) + 1);
  }

  /** Compares recognised words with the glyphs that they cover. Both are in points as displayed. */
  learn(words: readonly Word[], glyphs: readonly Glyph[], suspects: readonly Suspect[]): void {
    const keys = new Map(suspects.map(({ glyph, key }) => [glyph, key]));
    for (const { text, box, confidence } of words) {
      if (confidence < minWordConfidence) continue;
      const covered = glyphs
        .filter(({ ink, visible }) => visible && hasMiddleIn(ink, box))
        .sort((a, b) => a.x - b.x || a.y - b.y);
      if (!covered.some((glyph) => keys.has(glyph))) continue;
      // The glyphs are sorted in the order in which the recogniser writes them, regardless of
      // position.
      if (isRightToLeft(text)) covered.reverse();
      this.#compare(covered, keys, comparableLetters(text));
    }
  }

  #compare(
    covered: readonly Glyph[],
    keys: ReadonlyMap<Glyph, string>,
    readLetters: string[],
  ): void {
    const declared = covered.flatMap((glyph) =>
      comparableLetters(glyph.text).map((letter) => ({ glyph, letter })),
    );
    const isComparable = declared.length === readLetters.length;
    declared.forEach(({ glyph, letter }, at) => {
      const key = keys.get(glyph);
      if (key === undefined) return;
      // If the word has another length, its letters cannot be compared one by one. All of them
      // count as wrong, because most do not match their declarations.
      const isRight = isComparable && letter === readLetters[at];
      this.countsOf(key)[isRight ? 'right' : 'wrong'] += 1;
    });
  }
}

/** Normalises letters and digits for comparison. */
const comparableLetters = (text: string): string[] =>
  [...text.normalize('NFKC')].filter((one) => /[\p{L}\p{N}]/u.test(one)).map(foldLetter);

function hasMiddleIn(
  [x0, y0, x1, y1]: Glyph['ink'],
  box: readonly [number, number, number, number],
): boolean {
  const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
  return x > box[0] && x < box[2] && y > box[1] && y < box[3];
}

let current: { isolation: string; readings: Readings } | undefined;

/** Returns the readings of a project. The readings of the previous project are discarded. */
export function readingsFor(isolation: string): Readings {
  if (current?.isolation !== isolation) current = { isolation, readings: new Readings() };
  return current.readings;
}
