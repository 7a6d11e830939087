import type { Box } from '../../../results.ts';
import { squeeze } from '../matching/canonical.ts';
import { noOutline, type SeenGlyph } from './glyphs.ts';
import type { ReadWord } from './tiles.ts';

/** After this many letters that were recognised as what their font says, it is believed. */
const leastRight = 40;
/** Largest share of letters that were recognised as others. */
const maxWrong = 0.15;
/** So many letters read show that other letters of a font are what they look like, if nothing speaks against it. */
const leastMostly = 8;
const sureWord = 0.6;
/** So often lines are read for the sake of one letter. */
const maxTaught = 2;

/** Outlines that are kept between files at most; a script has some hundred per font. */
const maxOutlines = 50_000;

type Counts = { right: number; wrong: number };
/** Wrong are also the letters of words that were read with more or fewer letters. */
type FontCounts = Counts & { letters: Map<string, Counts> };

/**
 * How often the recogniser has read outlines as the character that their font says, in all fonts and files
 * of a project. The same outline for the same character looks the same wherever it is drawn.
 */
export class ReadOutlines {
  readonly #read = new Map<string, FontCounts>();

  of(letter: string): FontCounts | undefined {
    return this.#read.get(letter);
  }

  /** Where to count what is read of an outline. */
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
 * Letters of the fonts of one file that look like what they say, as the recogniser has confirmed. A
 * font may draw anything for its codes, so what text readers see is not what people see until then.
 */
export class HonestFonts {
  readonly #read = new Map<string, FontCounts>();
  /** The outlines that each font draws in this file, as far as pages were looked at. */
  readonly #drawn = new Map<string, Set<string>>();
  /** How often lines were read for the sake of a letter. */
  readonly #taught = new Map<string, number>();
  readonly #outlines: ReadOutlines;

  constructor(outlines = new ReadOutlines()) {
    this.#outlines = outlines;
  }

  /** Notes what fonts draw, which may have been read in other fonts or files. */
  meet(glyphs: readonly SeenGlyph[]): void {
    for (const glyph of glyphs) {
      if (!hasOutline(glyph)) continue;
      const drawn = this.#drawn.get(glyph.font) ?? new Set();
      drawn.add(letterOf(glyph));
      this.#drawn.set(glyph.font, drawn);
    }
  }

  /** Whether the font of a letter is believed, and this letter of it was read: others may still lie. */
  has(glyph: SeenGlyph): boolean {
    const letter = letterOf(glyph);
    const read = this.#read.get(glyph.font);
    const { right = 0, wrong = 0 } = read?.letters.get(letter) ?? {};
    if (read && isBelieved(read) && right > wrong) return true;
    // What was read in this file counts more than what was read in others.
    if (wrong > 0 || !hasOutline(glyph)) return false;
    const known = this.#outlines.of(letter)?.letters.get(letter);
    return known !== undefined && known.right > known.wrong && this.#isKnown(glyph.font);
  }

  /** Whether a letter was itself read as what its font says, in this file: of a font with few letters, too. */
  wasRead(glyph: SeenGlyph): boolean {
    const own = this.#read.get(glyph.font)?.letters.get(letterOf(glyph));
    return own !== undefined && own.right > 2 * own.wrong;
  }

  /** Whether most of what was read of the font of a letter is right, whether or not this letter was read. */
  isMostlyRight({ font }: SeenGlyph): boolean {
    const read = this.#read.get(font);
    if (!read) return this.#isKnown(font);
    return read.right >= leastMostly && read.wrong <= maxWrong * (read.right + read.wrong);
  }

  /** Whether a font is believed by its outlines, wherever they were read. */
  #isKnown(font: string): boolean {
    const sum = { right: 0, wrong: 0 };
    for (const letter of this.#drawn.get(font) ?? []) {
      const { right = 0, wrong = 0 } = this.#outlines.of(letter) ?? {};
      sum.right += right;
      sum.wrong += wrong;
    }
    return isBelieved(sum);
  }

  /** Whether reading more lines may settle a letter: some are always read as others. */
  canLearn(glyph: SeenGlyph): boolean {
    return (this.#taught.get(keyOf(glyph)) ?? 0) < maxTaught;
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

/** Whether what the recogniser read of a font is mostly what the font says. */
function isBelieved({ right, wrong }: Counts): boolean {
  return right >= leastRight && wrong <= maxWrong * (right + wrong);
}

function hasOutline({ shape }: SeenGlyph): boolean {
  const outline = shape?.() ?? '';
  return outline !== '' && outline !== noOutline;
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
      // A word of another length says nothing of its single letters.
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

/** What is known of the fonts of a file; kept for the last file. Outlines are kept for all of a project. */
export function honestFontsOf(path: string): HonestFonts {
  if (open?.path !== path) open = { path, fonts: new HonestFonts(outlines) };
  return open.fonts;
}

/** Forgets the last file, and all outlines. */
export function forgetFonts(): void {
  open = undefined;
  outlines = new ReadOutlines();
}
