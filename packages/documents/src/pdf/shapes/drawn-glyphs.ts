import type { Box } from '../../results.ts';
import { type FontResults, oncePerFont } from '../kept-fonts.ts';
import type { Glyph } from '../page-glyphs.ts';
import { type PdfDocument, rawFunction, withSlots } from '../pdfium.ts';
import { contoursOf, isType3Font, type Outline, outlineReader } from './outline.ts';
import { noncharacter } from './references.ts';
import { type Bounds, boundsOf, type Shape, shapeOf, similarity } from './shape.ts';
import { shapeCutter } from './shape-cutter.ts';
import { judge, type Verdict } from './verdict.ts';

/** The properties of a glyph that are needed to compare its drawing with its text. */
export type DrawnGlyph = Pick<
  Glyph,
  'code' | 'object' | 'x' | 'y' | 'angle' | 'size' | 'stretch' | 'ink' | 'advance'
>;

/** The evidence for the character that the font declares for a glyph. */
export interface Evidence {
  verdict: Verdict;
  /**
   * Identifies the character and its drawing: equal keys mean equal character and drawing. Empty if
   * unknown.
   */
  key: string;
  /** PDFium's pointer to the font, valid while the page is loaded. */
  font: number;
  /**
   * Whether the drawing differs from the first drawing of the character in the font, or the glyph
   * consists of several characters.
   */
  other?: boolean;
}

/** The verdict on the outline of a character. */
type OutlineVerdict = { verdict: Verdict; key: string; bounds: Bounds | null };

const noOutline: OutlineVerdict = { verdict: 'unclear', key: '', bounds: null };

/** Maximum number of cached outlines. A font has a few hundred per script. */
const maxCachedOutlines = 50_000;
/**
 * The verdicts by character and outline. They depend on nothing else, so they are cached across
 * files.
 */
const verdicts = new Map<string, OutlineVerdict>();

function judgeOutline(document: PdfDocument, outline: Outline, code: number): OutlineVerdict {
  const character = String.fromCodePoint(code);
  const key = `${character} ${outline.digest}`;
  const cached = verdicts.get(key);
  if (cached) return cached;
  const contours = contoursOf(outline);
  const shape = shapeOf(contours);
  const result: OutlineVerdict = {
    verdict: shape ? judge(document, character, shape) : 'unclear',
    key,
    bounds: boundsOf(contours),
  };
  if (verdicts.size >= maxCachedOutlines) verdicts.clear();
  verdicts.set(key, result);
  return result;
}

/**
 * The verdicts on the characters of a font, by code. `missing` is the drawing of characters that the
 * font lacks; null for fonts without outlines.
 */
type FontVerdicts = { missing: string | null; byCode: Map<number, OutlineVerdict> };

const fontVerdicts: FontResults<FontVerdicts> = new WeakMap();

/**
 * Returns a function that reads the outline of a character in a loaded font and the verdict on it,
 * once per character.
 */
function outlineVerdictReader(
  document: PdfDocument,
): (font: number, code: number) => OutlineVerdict {
  const outlineOf = (font: number, code: number): Outline | null =>
    withSlots(document.pdfium, 1, (at) => outlineReader(document, at)(font, code));
  const verdictsOf = oncePerFont(document, fontVerdicts, (font) => ({
    missing: isType3Font(document, font) ? null : (outlineOf(font, noncharacter)?.digest ?? ''),
    byCode: new Map(),
  }));
  return (font, code) => {
    const { missing, byCode } = verdictsOf(font);
    const known = byCode.get(code);
    if (known) return known;
    const outline = missing === null ? null : outlineOf(font, code);
    const verdict =
      outline && outline.digest !== missing ? judgeOutline(document, outline, code) : noOutline;
    byCode.set(code, verdict);
    return verdict;
  };
}

/** Returns a function that compares the characters of loaded fonts with their outlines alone. */
export function outlineVerdicts(document: PdfDocument): (font: number, code: number) => Verdict {
  const read = outlineVerdictReader(document);
  return (font, code) => (font === 0 ? 'unclear' : read(font, code).verdict);
}

/**
 * Returns a function that reads the evidence for the glyphs of a loaded page. Several codes of a
 * font may map to the same character, but the outline is read by character. A glyph whose ink has a
 * different extent is therefore another drawing. A glyph with several characters (`isJoined`) has
 * no evidence. `next` is the following glyph.
 */
export function evidenceReader(
  document: PdfDocument,
  page: number,
  size: { width: number; height: number },
): (glyph: DrawnGlyph, next?: DrawnGlyph, isJoined?: boolean) => Evidence {
  const getFont = rawFunction(document.pdfium, 'FPDFTextObj_GetFont');
  const fonts = new Map<number, number>();
  const readVerdict = outlineVerdictReader(document);
  const shapeAt = shapeCutter(document, page, size);
  /** Returns the evidence for a glyph without a known outline, based on the rendered page. */
  const evidenceOfPicture = (
    glyph: DrawnGlyph,
    next: DrawnGlyph | undefined,
    font: number,
  ): Evidence => {
    const character = String.fromCodePoint(glyph.code);
    const shape = glyph.angle === 0 ? shapeAt(inkOf(glyph, next)) : null;
    if (!shape) return { verdict: 'unclear', key: '', font };
    return { ...judgePicture(document, character, shape), font };
  };
  const variants = new Map<string, Set<string>>();
  /**
   * Returns the evidence for a glyph whose ink differs in extent from the outline of its character.
   */
  const evidenceOfVariant = (
    glyph: DrawnGlyph,
    next: DrawnGlyph | undefined,
    font: number,
    key: string,
  ): Evidence => {
    const extent = (extentOf(glyph) ?? []).map((side) => Math.round(side * 1000)).join(' ');
    const extents = variants.get(key) ?? new Set();
    variants.set(key, extents.add(extent));
    const variant = `${key} ${extent}`;
    if (agreeingVariants.has(variant)) return { verdict: 'agrees', key: variant, font };
    const character = String.fromCodePoint(glyph.code);
    const isFew = extents.size < minVariants && !isLatinLetter(character);
    if (isFew) return { verdict: 'unclear', key: '', font };
    const evidence = { ...evidenceOfPicture(glyph, next, font), other: true };
    if (evidence.verdict === 'agrees') {
      if (agreeingVariants.size >= maxCachedOutlines) agreeingVariants.clear();
      agreeingVariants.add(variant);
    }
    return evidence;
  };
  return (glyph, next, isJoined = false) => {
    const { object, code } = glyph;
    const font = fonts.get(object) ?? (object === 0 ? 0 : getFont(object));
    fonts.set(object, font);
    if (font === 0 || isJoined) return { verdict: 'unclear', key: '', font, other: isJoined };
    const { verdict, key, bounds } = readVerdict(font, code);
    if (key === '') return evidenceOfPicture(glyph, next, font);
    if (bounds === null || isDrawnAs(glyph, bounds)) return { verdict, key, font };
    return evidenceOfVariant(glyph, next, font, key);
  };
}

/**
 * Variants that still look like their character, such as digits of another width and small
 * capitals.
 */
const agreeingVariants = new Set<string>();
/**
 * Minimum number of variants of a symbol, or of a non-Latin letter, that may spell a text.
 */
const minVariants = 4;
const isLatinLetter = (character: string): boolean => /[\p{Script=Latin}\p{N}]/u.test(character);

/** A shape that was cut out of a page, with its evidence for a character. */
type PicturedShape = { shape: Shape } & Pick<Evidence, 'verdict' | 'key'>;
/**
 * Minimum similarity between pictures of the same drawing, at any size and position between pixels.
 */
const minPictureSimilarity = 0.93;
/** Maximum number of shapes that are cached for a character; further shapes are noise. */
const maxPicturedShapes = 200;
const picturedShapes = new Map<string, PicturedShape[]>();
let pictureCount = 0;

function judgePicture(
  document: PdfDocument,
  character: string,
  shape: Shape,
): Pick<Evidence, 'verdict' | 'key'> {
  const candidates = picturedShapes.get(character) ?? [];
  picturedShapes.set(character, candidates);
  const match = candidates.find((one) => similarity(one.shape, shape) >= minPictureSimilarity);
  if (match) return match;
  if (candidates.length >= maxPicturedShapes) candidates.splice(0, maxPicturedShapes / 2);
  pictureCount += 1;
  const result = {
    shape,
    verdict: judge(document, character, shape),
    key: `${character} picture ${pictureCount}`,
  };
  candidates.push(result);
  return result;
}

/**
 * Returns the area that the ink of a glyph may cover. All glyphs of a Type 3 font may have the same
 * box, as large as the largest glyph.
 */
function inkOf({ x, y, size, advance, ink }: DrawnGlyph, next: DrawnGlyph | undefined): Box {
  const isBeside = next && next.x > x && Math.abs(next.y - y) < maxBaselineOffset * size;
  return [
    Math.max(ink[0], x),
    Math.max(ink[1], y - maxAscent * size),
    Math.min(ink[2], x + advance, isBeside ? next.x : Number.POSITIVE_INFINITY),
    Math.min(ink[3], y + maxDescent * size),
  ];
}
const maxBaselineOffset = 0.1;
const maxAscent = 1.1;
const maxDescent = 0.35;

/**
 * Maximum difference between the extents of a glyph and of its outline, in font sizes. For
 * composite fonts, PDFium returns tops that are slightly too high.
 */
const maxExtentDifference = 0.003;
const maxTopDifference = 0.02;

type Extent = readonly [left: number, bottom: number, right: number, top: number];

/**
 * Returns the extent of a glyph's ink relative to its pen, in font sizes. Null at angles other than
 * quarter turns.
 */
function extentOf({ x, y, angle, size, stretch = 1, ink }: DrawnGlyph): Extent | null {
  if (size <= 0 || stretch <= 0) return null;
  const width = size * stretch;
  const [x0, y0, x1, y1] = ink;
  switch (Math.round(angle * 100) / 100) {
    case 0:
      return [(x0 - x) / width, (y - y1) / size, (x1 - x) / width, (y - y0) / size];
    case 90:
      return [(y0 - y) / width, (x0 - x) / size, (y1 - y) / width, (x1 - x) / size];
    case 180:
    case -180:
      return [(x - x1) / width, (y0 - y) / size, (x - x0) / width, (y1 - y) / size];
    case -90:
      return [(y - y1) / width, (x - x1) / size, (y - y0) / width, (x - x0) / size];
    default:
      return null;
  }
}

function isDrawnAs(glyph: DrawnGlyph, { left, bottom, right, top }: Bounds): boolean {
  const extent = extentOf(glyph);
  if (!extent) return true;
  return (
    Math.abs(left - extent[0]) <= maxExtentDifference &&
    Math.abs(bottom - extent[1]) <= maxExtentDifference &&
    Math.abs(right - extent[2]) <= maxExtentDifference &&
    Math.abs(top - extent[3]) <= maxTopDifference
  );
}
