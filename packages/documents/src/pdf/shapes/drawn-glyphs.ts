import type { Box } from '../../results.ts';
import type { Glyph } from '../page-glyphs.ts';
import { type PdfDocument, rawFunction, withSlots } from '../pdfium.ts';
import { contoursOf, isDrawing, type Outline, outlineReader } from './outline.ts';
import { shapeCutter } from './pictured.ts';
import { noCharacter } from './references.ts';
import { type Bounds, boundsOf, likeness, type Shape, shapeOf } from './shape.ts';
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
type Known = { verdict: Verdict; key: string; bounds: Bounds | null };

const noOutline: Known = { verdict: 'unclear', key: '', bounds: null };

/** Maximum number of cached outlines. A font has a few hundred per script. */
const maxKnown = 50_000;
/**
 * The verdicts by character and outline. They depend on nothing else, so they are cached across
 * files.
 */
const verdicts = new Map<string, Known>();

function judged(document: PdfDocument, outline: Outline, code: number): Known {
  const said = String.fromCodePoint(code);
  const key = `${said} ${outline.digest}`;
  const before = verdicts.get(key);
  if (before) return before;
  const contours = contoursOf(outline);
  const shape = shapeOf(contours);
  const found: Known = {
    verdict: shape ? judge(document, said, shape) : 'unclear',
    key,
    bounds: boundsOf(contours),
  };
  if (verdicts.size >= maxKnown) verdicts.clear();
  verdicts.set(key, found);
  return found;
}

/**
 * Returns a function that reads the outline of a character in a loaded font and the verdict on it,
 * once per character.
 */
function knownReader(document: PdfDocument): (font: number, code: number) => Known {
  const { pdfium } = document;
  /** The drawing of characters that are missing from a font; null for fonts without outlines. */
  const missing = new Map<number, string | null>();
  const outlines = new Map<number, Known>();
  const read = (font: number, code: number): Known =>
    withSlots(pdfium, 1, (at) => {
      const outlineOf = outlineReader(document, at);
      const none = missing.has(font)
        ? missing.get(font)
        : isDrawing(document, font)
          ? null
          : (outlineOf(font, noCharacter)?.digest ?? '');
      missing.set(font, none ?? null);
      const outline = none === null ? null : outlineOf(font, code);
      return outline && outline.digest !== none ? judged(document, outline, code) : noOutline;
    });
  return (font, code) => {
    const key = font * 0x110000 + code;
    const known = outlines.get(key) ?? read(font, code);
    outlines.set(key, known);
    return known;
  };
}

/** Returns a function that compares the characters of loaded fonts with their outlines alone. */
export function outlineVerdicts(document: PdfDocument): (font: number, code: number) => Verdict {
  const read = knownReader(document);
  return (font, code) => (font === 0 ? 'unclear' : read(font, code).verdict);
}

/**
 * Returns a function that reads the evidence for the glyphs of a loaded page. Several codes of a
 * font may map to the same character, but the outline is read by character. A glyph whose ink has a
 * different extent is therefore another drawing. A glyph with several characters (`joined`) has no
 * evidence. `next` is the following glyph.
 */
export function evidenceReader(
  document: PdfDocument,
  page: number,
  size: { width: number; height: number },
): (glyph: DrawnGlyph, next?: DrawnGlyph, joined?: boolean) => Evidence {
  const getFont = rawFunction(document.pdfium, 'FPDFTextObj_GetFont');
  const fonts = new Map<number, number>();
  const outlineOf = knownReader(document);
  const shapeAt = shapeCutter(document, page, size);
  /** Returns the evidence for a glyph without a known outline, based on the rendered page. */
  const evidenceOfPicture = (
    glyph: DrawnGlyph,
    next: DrawnGlyph | undefined,
    font: number,
  ): Evidence => {
    const said = String.fromCodePoint(glyph.code);
    const shape = glyph.angle === 0 ? shapeAt(inkOf(glyph, next)) : null;
    if (!shape) return { verdict: 'unclear', key: '', font };
    return { ...picturedAs(document, said, shape), font };
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
    const own = variants.get(key) ?? new Set();
    variants.set(key, own.add(extent));
    const variant = `${key} ${extent}`;
    if (agreeing.has(variant)) return { verdict: 'agrees', key: variant, font };
    const said = String.fromCodePoint(glyph.code);
    const isFew = own.size < manyVariants && !isLatinLetter(said);
    if (isFew) return { verdict: 'unclear', key: '', font };
    const evidence = { ...evidenceOfPicture(glyph, next, font), other: true };
    if (evidence.verdict === 'agrees') {
      if (agreeing.size >= maxKnown) agreeing.clear();
      agreeing.add(variant);
    }
    return evidence;
  };
  return (glyph, next, joined = false) => {
    const { object, code } = glyph;
    const font = fonts.get(object) ?? (object === 0 ? 0 : getFont(object));
    fonts.set(object, font);
    if (font === 0 || joined) return { verdict: 'unclear', key: '', font, other: joined };
    const { verdict, key, bounds } = outlineOf(font, code);
    if (key === '') return evidenceOfPicture(glyph, next, font);
    if (bounds === null || isDrawnAs(glyph, bounds)) return { verdict, key, font };
    return evidenceOfVariant(glyph, next, font, key);
  };
}

/**
 * Variants of characters that still look like the character: figures of other widths, small
 * capitals.
 */
const agreeing = new Set<string>();
/**
 * Minimum number of variants of a sign, or of a letter of another script, that may spell a text.
 */
const manyVariants = 4;
const isLatinLetter = (said: string): boolean => /[\p{Script=Latin}\p{N}]/u.test(said);

/** A shape that was cut out of a page, with its evidence for a character. */
type Pictured = { shape: Shape } & Pick<Evidence, 'verdict' | 'key'>;
/**
 * Minimum similarity between pictures of the same drawing, at any size and position between pixels.
 */
const samePicture = 0.93;
/** Maximum number of shapes that are cached for a character; further shapes are noise. */
const maxPictured = 200;
const pictured = new Map<string, Pictured[]>();
let pictures = 0;

function picturedAs(
  document: PdfDocument,
  said: string,
  shape: Shape,
): Pick<Evidence, 'verdict' | 'key'> {
  const all = pictured.get(said) ?? [];
  pictured.set(said, all);
  const before = all.find((one) => likeness(one.shape, shape) >= samePicture);
  if (before) return before;
  if (all.length >= maxPictured) all.splice(0, maxPictured / 2);
  pictures += 1;
  const found = {
    shape,
    verdict: judge(document, said, shape),
    key: `${said} picture ${pictures}`,
  };
  all.push(found);
  return found;
}

/**
 * Returns the area that the ink of a glyph may cover. All glyphs of a Type 3 font may have the same
 * box, as large as the largest glyph.
 */
function inkOf({ x, y, size, advance, ink }: DrawnGlyph, next: DrawnGlyph | undefined): Box {
  const isBeside = next && next.x > x && Math.abs(next.y - y) < sameLine * size;
  return [
    Math.max(ink[0], x),
    Math.max(ink[1], y - highest * size),
    Math.min(ink[2], x + advance, isBeside ? next.x : Number.POSITIVE_INFINITY),
    Math.min(ink[3], y + lowest * size),
  ];
}
const sameLine = 0.1;
const highest = 1.1;
const lowest = 0.35;

/**
 * Maximum difference between the extents of a glyph and of its outline, in font sizes. For
 * composite fonts, PDFium returns tops that are slightly too high.
 */
const maxApart = 0.003;
const maxApartAtTop = 0.02;

type Extent = readonly [left: number, bottom: number, right: number, top: number];

/**
 * Returns the extent of a glyph's ink relative to its pen, in font sizes. Null at angles other than
 * quarter turns.
 */
function extentOf({ x, y, angle, size, stretch = 1, ink }: DrawnGlyph): Extent | null {
  if (size <= 0 || stretch <= 0) return null;
  const wide = size * stretch;
  const [x0, y0, x1, y1] = ink;
  switch (Math.round(angle * 100) / 100) {
    case 0:
      return [(x0 - x) / wide, (y - y1) / size, (x1 - x) / wide, (y - y0) / size];
    case 90:
      return [(y0 - y) / wide, (x0 - x) / size, (y1 - y) / wide, (x1 - x) / size];
    case 180:
    case -180:
      return [(x - x1) / wide, (y0 - y) / size, (x - x0) / wide, (y1 - y) / size];
    case -90:
      return [(y - y1) / wide, (x - x1) / size, (y - y0) / wide, (x - x0) / size];
    default:
      return null;
  }
}

function isDrawnAs(glyph: DrawnGlyph, { left, bottom, right, top }: Bounds): boolean {
  const extent = extentOf(glyph);
  if (!extent) return true;
  return (
    Math.abs(left - extent[0]) <= maxApart &&
    Math.abs(bottom - extent[1]) <= maxApart &&
    Math.abs(right - extent[2]) <= maxApart &&
    Math.abs(top - extent[3]) <= maxApartAtTop
  );
}
