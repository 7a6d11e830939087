import { area, displaySize } from '../../geometry.ts';
import type { Glyph } from '../../pdf/page-glyphs.ts';
import type { PdfDocument } from '../../pdf/pdfium.ts';
import { type Evidence, evidenceReader } from '../../pdf/shapes/drawn-glyphs.ts';
import {
  adjacentComparedLetters,
  fontMatches,
  isOfComparedScript,
  isOfOtherScript,
} from '../../pdf/shapes/other-scripts.ts';
import type { Verdict } from '../../pdf/shapes/verdict.ts';
import type { PageFrame } from '../../results.ts';
import { lookAlikesIn } from './mixed-scripts.ts';

export type OpenPage = { document: PdfDocument; page: number; frame: PageFrame };

/** A glyph whose declared character is not confirmed by its drawing alone. */
export interface Suspect extends Evidence {
  glyph: Glyph;
  /** Whether the other letters of the font match their declarations. */
  inGoodFont: boolean;
}

/**
 * Minimum number of matching letters in a trusted font, and minimum ratio of matching letters to
 * other letters.
 */
const minAgreeing = 3;
const minAgreeRatio = 3;
/** Maximum number of isolated glyphs on a line that count as bullets or symbols. */
const maxIsolated = 2;
/** Maximum gap between glyphs that are not isolated, in font sizes. */
const maxGap = 1.2;
/** Minimum number of symbols in a font that look like letters. Fewer are not suspects. */
const minSymbols = 4;

const isLetter = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);
const isDigit = (text: string): boolean => /\p{N}/u.test(text);
/**
 * Whether a text has letters that are compared with those of reference fonts, and that the
 * recogniser always reads.
 */
const isLatin = (text: string): boolean => /[\p{Script=Latin}\p{N}]/u.test(text);

const hasInk = ({ visible, ink, text, object }: Glyph): boolean =>
  visible && object !== 0 && text !== '' && area(ink) > 0;

/** Whether two characters belong to the same glyph. */
const isAtPen = (glyph: Glyph, other: Glyph | undefined): boolean =>
  other?.object === glyph.object &&
  other.x === glyph.x &&
  other.y === glyph.y &&
  other.text.trim() !== '';

/** Returns the text of all characters of a glyph, given the index of one of them. */
function textAtPen(glyphs: readonly Glyph[], at: number): string {
  const glyph = glyphs[at]!;
  let [from, to] = [at, at];
  while (isAtPen(glyph, glyphs[from - 1])) from -= 1;
  while (isAtPen(glyph, glyphs[to + 1])) to += 1;
  return glyphs
    .slice(from, to + 1)
    .map(({ text }) => text)
    .join('');
}

/** Letters that fonts draw as one glyph. */
const ligature =
  /^(?:f?f[bhijklt]?|t?t[fi]?|ft[it]?|c[hkt]|st|ij|IJ|[oa]e|[OA]E|ss|Th|Qu|\p{L}\p{M}+)$/u;

/** Whether an unclear glyph may be trusted if the other glyphs of its font are. */
const mayBeTrusted = ({ other }: Evidence, penText: string): boolean =>
  !other || ligature.test(penText);

/** Evidence about a font on a page, by distinct letters. */
interface FontCounts {
  agrees: Set<string>;
  differs: Set<string>;
  unclear: Set<string>;
  symbols: Set<string>;
  /** The letters of compared scripts only. */
  compared: Record<Verdict, Set<string>>;
}

/**
 * Returns the glyphs of a loaded page that may show a character other than the declared one. Most
 * pages have none, because their fonts look like common fonts.
 * @param checkAllScripts whether to include letters that no reference font contains, and letters of
 * compared scripts in fonts that draw most of them in an unusual way
 */
export function suspectsOf(
  { document, page, frame }: OpenPage,
  glyphs: readonly Glyph[],
  checkAllScripts: boolean,
): Suspect[] {
  const read = evidenceReader(document, page, displaySize(frame));
  pageCount += 1;
  const fonts = new Map<number, FontCounts>();
  const unconfirmed: { at: number; evidence: Evidence; together: string }[] = [];
  const lookAlikes = lookAlikesIn(glyphs, isOfWord);
  glyphs.forEach((glyph, at) => {
    if (!hasInk(glyph)) return;
    const penText = textAtPen(glyphs, at);
    const isJoined = penText !== glyph.text;
    const evidence = lookAlikes.has(glyph)
      ? lookAlikeEvidence(glyph)
      : withPageKey(read(glyph, glyphs[at + 1], isJoined), glyph);
    const counts = fonts.get(evidence.font) ?? emptyCounts();
    fonts.set(evidence.font, counts);
    if (!isJoined) countLetter(counts, glyph, evidence);
    if (evidence.verdict !== 'agrees') unconfirmed.push({ at, evidence, together: penText });
  });
  if (unconfirmed.length === 0) return [];
  const adjacentLetters = checkAllScripts ? adjacentComparedLetters(glyphs) : new Set<Glyph>();
  const suspects = unconfirmed.flatMap(
    ({ at, evidence, together }): { at: number; suspect: Suspect }[] => {
      const glyph = glyphs[at]!;
      const counts = fonts.get(evidence.font) ?? emptyCounts();
      const inGoodFont = isTrustedFont(counts);
      const isMixed = lookAlikes.has(glyph);
      if (
        !isMixed &&
        !(checkAllScripts && isOfOtherScript(glyph.text)) &&
        !(adjacentLetters.has(glyph) && !fontMatches(counts.compared)) &&
        !isSuspect(glyph, evidence, counts, inGoodFont && mayBeTrusted(evidence, together))
      )
        return [];
      return [{ at, suspect: { ...evidence, glyph, inGoodFont } }];
    },
  );
  return withoutSymbols(suspects, glyphs);
}

let pageCount = 0;

/**
 * Returns the evidence for a letter of another script in a Latin word, regardless of its drawing.
 */
const lookAlikeEvidence = ({ text }: Glyph): Evidence => ({
  verdict: 'differs',
  key: `mixed ${pageCount} ${text}`,
  font: 0,
});

/** Returns evidence with a key. If the drawing is unknown, the key is specific to this page. */
const withPageKey = (evidence: Evidence, { text }: Glyph): Evidence =>
  evidence.key === ''
    ? { ...evidence, key: `page ${pageCount} ${evidence.font} ${text}` }
    : evidence;

const emptyCounts = (): FontCounts => ({
  agrees: new Set(),
  differs: new Set(),
  unclear: new Set(),
  symbols: new Set(),
  compared: { agrees: new Set(), differs: new Set(), unclear: new Set() },
});

function countLetter(counts: FontCounts, { text }: Glyph, { verdict, key }: Evidence): void {
  if (isOfComparedScript(text)) counts.compared[verdict].add(key);
  if (!isLetter(text)) {
    if (verdict === 'differs') counts.symbols.add(key);
  } else if (verdict === 'agrees') counts.agrees.add(key);
  else if (verdict === 'differs') counts.differs.add(key);
  else counts.unclear.add(key);
}

function isTrustedFont({ agrees, differs, unclear }: FontCounts): boolean {
  return agrees.size >= minAgreeing && agrees.size >= minAgreeRatio * (differs.size + unclear.size);
}

function isSuspect(
  { text }: Glyph,
  { verdict }: Evidence,
  counts: FontCounts,
  inGoodFont: boolean,
): boolean {
  if (!isLetter(text)) return verdict === 'differs' && counts.symbols.size >= minSymbols;
  if (!isLatin(text)) {
    // Reference fonts lack the letters of most other scripts, some of which resemble a Latin letter
    // by chance.
    return verdict === 'differs' && counts.differs.size >= counts.unclear.size + counts.agrees.size;
  }
  return verdict === 'differs' || isDigit(text) || !inGoodFont;
}

/**
 * Removes suspects that are isolated on their line and therefore spell no text: bullets, symbols,
 * and labels in a drawing.
 */
function withoutSymbols(
  suspects: readonly { at: number; suspect: Suspect }[],
  glyphs: readonly Glyph[],
): Suspect[] {
  const countByLine = new Map<string, number>();
  const lineOf = ({ y, x, angle, size }: Glyph): string =>
    Math.abs(angle % 180) === 90
      ? `x${Math.round((x * 2) / Math.max(1, size))}`
      : `y${Math.round((y * 2) / Math.max(1, size))}`;
  for (const { suspect } of suspects) {
    const line = lineOf(suspect.glyph);
    countByLine.set(line, (countByLine.get(line) ?? 0) + 1);
  }
  const isBeside = (at: number, by: 1 | -1): boolean => {
    const [glyph, next] = [glyphs[at], glyphs[at + by]];
    return !!glyph && !!next && isLetter(next.text) && areClose(glyph, next);
  };
  return suspects.flatMap(({ at, suspect }) => {
    const isIsolated = (countByLine.get(lineOf(suspect.glyph)) ?? 0) <= maxIsolated;
    // One or two letters that may be correct do not form a word, but a digit may be part of a
    // number.
    const isHarmless = suspect.verdict === 'unclear' && !isDigit(suspect.glyph.text);
    return isIsolated && (isHarmless || (!isBeside(at, 1) && !isBeside(at, -1))) ? [] : [suspect];
  });
}

/** Maximum gap between letters of a word, in font sizes. */
const maxGapInWord = 0.2;

/** Whether a glyph continues the word of the previous glyph. */
export const isOfWord = (last: Glyph, next: Glyph): boolean =>
  last.text.trim() !== '' && next.text.trim() !== '' && areClose(last, next, maxGapInWord);

/** Whether two glyphs follow each other on a line, with a gap of at most `gap` font sizes. */
export function areClose(a: Glyph, b: Glyph, gap = maxGap): boolean {
  const size = Math.max(a.size, b.size, 0.1);
  const [first, second] = a.x <= b.x ? [a, b] : [b, a];
  const radians = (first.angle * Math.PI) / 180;
  const [dx, dy] = [second.x - first.x, second.y - first.y];
  const along = dx * Math.cos(radians) + dy * Math.sin(radians);
  const across = Math.abs(dy * Math.cos(radians) - dx * Math.sin(radians));
  return across < 0.5 * size && Math.abs(along) - first.advance < gap * size;
}
