import type { Box } from '../../../results.ts';
import { squeeze } from '../../matching/canonical.ts';
import { noOutline, type SeenGlyph } from './glyphs.ts';
import type { ReadWord } from './tiles.ts';

/** Number of letters of a font that must be recognised as declared before the font is trusted. */
const minRight = 40;
/** Maximum share of letters that were recognised as different letters. */
const maxWrong = 0.15;
/**
 * Number of recognised letters after which the other letters of a font are trusted, unless a
 * reading contradicts this.
 */
const minMostly = 8;
const sureWord = 0.6;
/** Maximum number of times that lines are read to learn a letter. */
const maxTaught = 2;

/** Maximum number of outlines kept between files. A script has several hundred per font. */
const maxOutlines = 50_000;

type Counts = { right: number; wrong: number };
/**
 * Counts for a font and for each of its letters. The totals also count letters of words as wrong if
 * a different number of letters was read.
 */
type FontCounts = Counts & { letters: Map<string, Counts> };

/**
 * Counts how often the recogniser read outlines as the character that their font declares, in all
 * fonts and files of a project. An outline looks the same wherever it is drawn for the same
 * character.
 */
export class ReadOutlines {
  readonly #read = new Map<string, FontCounts>();

  of(letter: string): FontCounts | undefined {
    return this.#read.get(letter);
  }

  /** Returns the counts of an outline. */
  counts(letter: string): FontCounts {
    const known = this.#read.get(letter);
    if (known) return known;
    if (this.#read.size >= maxOutlines) this.#read.clear();
    const counts = { right: 0, wrong: 0, letters: new Map() };
    this.#read.set(letter, counts);
    return counts;
  }
}

/**
 * The letters of a file's fonts that the recogniser has confirmed to match what the fonts declare.
 * A font may draw any shape for its codes, so until then text readers may read something different
 * from what people see.
 */
export class HonestFonts {
  readonly #read = new Map<string, FontCounts>();
  /** The outlines that each font draws in this file, for the pages examined so far. */
  readonly #drawn = new Map<string, Set<string>>();
  /** Number of times that lines were read to learn each letter. */
  readonly #taught = new Map<string, number>();
  readonly #outlines: ReadOutlines;

  constructor(outlines = new ReadOutlines()) {
    this.#outlines = outlines;
  }

  /**
   * Records the outlines that fonts draw. They may already have been read in other fonts or files.
   */
  meet(glyphs: readonly SeenGlyph[]): void {
    for (const glyph of glyphs) {
      if (!hasOutline(glyph)) continue;
      const drawn = this.#drawn.get(glyph.font) ?? new Set();
      drawn.add(letterOf(glyph));
      this.#drawn.set(glyph.font, drawn);
    }
  }

  /**
   * Whether the font of a letter is trusted and this letter was read. Other letters of the font may
   * still be misleading.
   */
  has(glyph: SeenGlyph): boolean {
    const letter = letterOf(glyph);
    const read = this.#read.get(glyph.font);
    const { right = 0, wrong = 0 } = read?.letters.get(letter) ?? {};
    if (read && isBelieved(read) && right > wrong) return true;
    // Readings in this file take precedence over those in other files.
    if (wrong > 0 || !hasOutline(glyph)) return false;
    const known = this.#outlines.of(letter)?.letters.get(letter);
    return known !== undefined && known.right > known.wrong && this.#isKnown(glyph.font);
  }

  /**
   * Whether this letter was read in this file as its font declares, even if the font has only few
   * letters.
   */
  wasRead(glyph: SeenGlyph): boolean {
    const own = this.#read.get(glyph.font)?.letters.get(letterOf(glyph));
    return own !== undefined && own.right > 2 * own.wrong;
  }

  /**
   * Whether most of the letters read in this letter's font are right, whether or not this letter
   * was read.
   */
  isMostlyRight({ font }: SeenGlyph): boolean {
    const read = this.#read.get(font);
    if (!read) return this.#isKnown(font);
    return read.right >= minMostly && read.wrong <= maxWrong * (read.right + read.wrong);
  }

  /**
   * Whether a font is trusted because of its outlines, in whichever font or file these were read.
   */
  #isKnown(font: string): boolean {
    const sum = { right: 0, wrong: 0 };
    for (const letter of this.#drawn.get(font) ?? []) {
      const { right = 0, wrong = 0 } = this.#outlines.of(letter) ?? {};
      sum.right += right;
      sum.wrong += wrong;
    }
    return isBelieved(sum);
  }

  /** Whether reading more lines may settle a letter. Some letters are always misread. */
  canLearn(glyph: SeenGlyph): boolean {
    return (this.#taught.get(keyOf(glyph)) ?? 0) < maxTaught;
  }

  /** Records that lines with these letters are read in order to learn them. */
  teach(glyphs: readonly SeenGlyph[]): void {
    for (const key of new Set(glyphs.map(keyOf))) {
      this.#taught.set(key, (this.#taught.get(key) ?? 0) + 1);
    }
  }

  /**
   * Compares recognised words with the glyphs that they cover. All boxes must be in the same unit.
   */
  learn(words: readonly ReadWord[], glyphs: readonly SeenGlyph[]): void {
    for (const { text, box, confidence } of words) {
      if (confidence < sureWord) continue;
      const under = glyphs.filter((glyph) => hasMiddleIn(glyph.box, box));
      const [first] = under;
      if (!first || under.some(({ font }) => font !== first.font)) continue;
      const sorted = [...under].sort((a, b) => a.box[0] - b.box[0]);
      const said = sorted.map((glyph) => ({
        letter: letterOf(glyph),
        as: squeeze(glyph.text),
        outline: hasOutline(glyph) ? this.#outlines.counts(letterOf(glyph)) : undefined,
      }));
      const counts = this.#read.get(first.font) ?? { right: 0, wrong: 0, letters: new Map() };
      compare(said, squeeze(text), counts);
      this.#read.set(first.font, counts);
    }
  }
}

/** Whether the recogniser's readings of a font mostly match what the font declares. */
function isBelieved({ right, wrong }: Counts): boolean {
  return right >= minRight && wrong <= maxWrong * (right + wrong);
}

function hasOutline({ shape }: SeenGlyph): boolean {
  const outline = shape?.() ?? '';
  return outline !== '' && outline !== noOutline;
}

/**
 * Returns a letter together with the outline that its font draws. Readings of one outline say
 * nothing about a different outline in a font of the same name and size.
 */
function letterOf({ text, shape }: SeenGlyph): string {
  return shape ? `${text} ${shape()}` : text;
}

/** Returns the key of a letter: its font, and the letter with its outline. */
export function keyOf(glyph: SeenGlyph): string {
  return `${glyph.font} ${letterOf(glyph)}`;
}

/**
 * Counts each letter of a font as right or wrong. All count as wrong if the number of letters
 * differs.
 */
function compare(
  said: readonly { letter: string; as: string; outline: FontCounts | undefined }[],
  read: string,
  font: FontCounts,
): void {
  const length = said.reduce((sum, { as }) => sum + as.length, 0);
  for (const counts of [font, said[0]?.outline]) {
    if (counts) counts.wrong += Math.max(0, read.length - length);
  }
  let at = 0;
  for (const { letter, as, outline } of said) {
    const isRight = length === read.length && read.slice(at, at + as.length) === as;
    at += as.length;
    for (const counts of outline ? [font, outline] : [font]) {
      counts[isRight ? 'right' : 'wrong'] += as.length;
      // A word of a different length says nothing about its individual letters.
      if (length !== read.length) continue;
      const own = counts.letters.get(letter) ?? { right: 0, wrong: 0 };
      own[isRight ? 'right' : 'wrong'] += 1;
      counts.letters.set(letter, own);
    }
  }
}

function hasMiddleIn([x0, y0, x1, y1]: Box, box: ReadWord['box']): boolean {
  const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
  return x > box[0] && x < box[2] && y > box[1] && y < box[3];
}

let open: { path: string; fonts: HonestFonts } | undefined;
let outlines = new ReadOutlines();

/**
 * Returns what is known about the fonts of a file. It is kept for the last file only. Outlines are
 * kept for the whole project.
 */
export function honestFontsOf(path: string): HonestFonts {
  if (open?.path !== path) open = { path, fonts: new HonestFonts(outlines) };
  return open.fonts;
}

/** Forgets the last file and all outlines. */
export function forgetFonts(): void {
  open = undefined;
  outlines = new ReadOutlines();
}
