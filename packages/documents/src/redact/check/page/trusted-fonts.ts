import type { Box } from '../../../results.ts';
import { foldText } from '../../matching/canonical.ts';
import { emptyOutline, type PageGlyph } from './glyphs.ts';
import type { ReadWord } from './tiles.ts';

/** Number of letters of a font that must be recognised as declared before the font is trusted. */
const minCorrect = 40;
/** Maximum share of letters that were recognised as different letters. */
const maxWrong = 0.15;
/**
 * Number of recognised letters after which the other letters of a font are trusted, unless a
 * reading contradicts this.
 */
const minReadings = 8;
const minWordConfidence = 0.6;
/** Maximum number of times that lines are read to learn a letter. */
const maxAttempts = 2;

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
export class OutlineCounts {
  readonly counts = new Map<string, FontCounts>();

  get(letter: string): FontCounts | undefined {
    return this.counts.get(letter);
  }

  /** Returns the counts of an outline. */
  getOrCreate(letter: string): FontCounts {
    const known = this.counts.get(letter);
    if (known) return known;
    if (this.counts.size >= maxOutlines) this.counts.clear();
    const counts = { right: 0, wrong: 0, letters: new Map() };
    this.counts.set(letter, counts);
    return counts;
  }
}

/**
 * The letters of a file's fonts that the recogniser has confirmed to match what the fonts declare.
 * A font may draw any shape for its codes, so until then text readers may read something different
 * from what people see.
 */
export class TrustedFonts {
  readonly counts = new Map<string, FontCounts>();
  /** The outlines that each font draws in this file, for the pages examined so far. */
  readonly #drawn = new Map<string, Set<string>>();
  /** Number of times that lines were read to learn each letter. */
  readonly attempts = new Map<string, number>();
  readonly #outlines: OutlineCounts;

  constructor(outlines = new OutlineCounts()) {
    this.#outlines = outlines;
  }

  /**
   * Records the outlines that fonts draw. They may already have been read in other fonts or files.
   */
  recordOutlines(glyphs: readonly PageGlyph[]): void {
    for (const glyph of glyphs) {
      if (!hasOutline(glyph)) continue;
      const outlinesOfFont = this.#drawn.get(glyph.font) ?? new Set();
      outlinesOfFont.add(letterOf(glyph));
      this.#drawn.set(glyph.font, outlinesOfFont);
    }
  }

  /**
   * Whether the font of a letter is trusted and this letter was read. Other letters of the font may
   * still be misleading.
   */
  has(glyph: PageGlyph): boolean {
    const letter = letterOf(glyph);
    const read = this.counts.get(glyph.font);
    const { right = 0, wrong = 0 } = read?.letters.get(letter) ?? {};
    if (read && isTrusted(read) && right > wrong) return true;
    // Readings in this file take precedence over those in other files.
    if (wrong > 0 || !hasOutline(glyph)) return false;
    const known = this.#outlines.get(letter)?.letters.get(letter);
    return known !== undefined && known.right > known.wrong && this.isTrustedByOutlines(glyph.font);
  }

  /**
   * Whether this letter was read in this file as its font declares, even if the font has only few
   * letters.
   */
  wasRead(glyph: PageGlyph): boolean {
    const counts = this.counts.get(glyph.font)?.letters.get(letterOf(glyph));
    return counts !== undefined && counts.right > 2 * counts.wrong;
  }

  /**
   * Whether most of the letters read in this letter's font are right, whether or not this letter
   * was read.
   */
  isMostlyRight({ font }: PageGlyph): boolean {
    const read = this.counts.get(font);
    if (!read) return this.isTrustedByOutlines(font);
    return read.right >= minReadings && read.wrong <= maxWrong * (read.right + read.wrong);
  }

  /**
   * Whether a font is trusted because of its outlines, regardless of where these were read.
   */
  isTrustedByOutlines(font: string): boolean {
    const sum = { right: 0, wrong: 0 };
    for (const letter of this.#drawn.get(font) ?? []) {
      const { right = 0, wrong = 0 } = this.#outlines.get(letter) ?? {};
      sum.right += right;
      sum.wrong += wrong;
    }
    return isTrusted(sum);
  }

  /** Whether reading more lines may confirm a letter. Some letters are always misread. */
  canReadAgain(glyph: PageGlyph): boolean {
    return (this.attempts.get(keyOf(glyph)) ?? 0) < maxAttempts;
  }

  /** Records an attempt to learn these letters by reading lines that contain them. */
  countAttempt(glyphs: readonly PageGlyph[]): void {
    for (const key of new Set(glyphs.map(keyOf))) {
      this.attempts.set(key, (this.attempts.get(key) ?? 0) + 1);
    }
  }

  /**
   * Compares recognised words with the glyphs that they cover. All boxes must be in the same unit.
   */
  learn(words: readonly ReadWord[], glyphs: readonly PageGlyph[]): void {
    for (const { text, box, confidence } of words) {
      if (confidence < minWordConfidence) continue;
      const covered = glyphs.filter((glyph) => hasCentreIn(glyph.box, box));
      const [first] = covered;
      if (!first || covered.some(({ font }) => font !== first.font)) continue;
      const sorted = [...covered].sort((a, b) => a.box[0] - b.box[0]);
      const declared = sorted.map((glyph) => ({
        letter: letterOf(glyph),
        as: foldText(glyph.text),
        outline: hasOutline(glyph) ? this.#outlines.getOrCreate(letterOf(glyph)) : undefined,
      }));
      const counts = this.counts.get(first.font) ?? { right: 0, wrong: 0, letters: new Map() };
      countMatches(declared, foldText(text), counts);
      this.counts.set(first.font, counts);
    }
  }
}

/** Whether the recogniser's readings of a font mostly match what the font declares. */
function isTrusted({ right, wrong }: Counts): boolean {
  return right >= minCorrect && wrong <= maxWrong * (right + wrong);
}

function hasOutline({ shape }: PageGlyph): boolean {
  const outline = shape?.() ?? '';
  return outline !== '' && outline !== emptyOutline;
}

/**
 * Returns a letter together with the outline that its font draws. Readings of one outline say
 * nothing about a different outline in a font of the same name and size.
 */
function letterOf({ text, shape }: PageGlyph): string {
  return shape ? `${text} ${shape()}` : text;
}

/** Returns the key of a letter: its font, and the letter with its outline. */
export function keyOf(glyph: PageGlyph): string {
  return `${glyph.font} ${letterOf(glyph)}`;
}

/**
 * Counts each letter of a font as right or wrong. All count as wrong if the number of letters
 * differs.
 */
function countMatches(
  declared: readonly { letter: string; as: string; outline: FontCounts | undefined }[],
  read: string,
  font: FontCounts,
): void {
  const length = declared.reduce((sum, { as }) => sum + as.length, 0);
  for (const counts of [font, declared[0]?.outline]) {
    if (counts) counts.wrong += Math.max(0, read.length - length);
  }
  let at = 0;
  for (const { letter, as, outline } of declared) {
    const isRight = length === read.length && read.slice(at, at + as.length) === as;
    at += as.length;
    for (const counts of outline ? [font, outline] : [font]) {
      counts[isRight ? 'right' : 'wrong'] += as.length;
      // A word of a different length says nothing about its individual letters.
      if (length !== read.length) continue;
      const letterCounts = counts.letters.get(letter) ?? { right: 0, wrong: 0 };
      letterCounts[isRight ? 'right' : 'wrong'] += 1;
      counts.letters.set(letter, letterCounts);
    }
  }
}

function hasCentreIn([x0, y0, x1, y1]: Box, box: ReadWord['box']): boolean {
  const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
  return x > box[0] && x < box[2] && y > box[1] && y < box[3];
}

let lastFile: { path: string; fonts: TrustedFonts } | undefined;
let outlines = new OutlineCounts();

/**
 * Returns the trusted letters of a file's fonts. They are kept for the last file only, and outlines
 * for the whole project.
 */
export function trustedFontsOf(path: string): TrustedFonts {
  if (lastFile?.path !== path) lastFile = { path, fonts: new TrustedFonts(outlines) };
  return lastFile.fonts;
}

/** Forgets the last file and all outlines. */
export function forgetFonts(): void {
  lastFile = undefined;
  outlines = new OutlineCounts();
}
