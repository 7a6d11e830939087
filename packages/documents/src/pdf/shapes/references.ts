import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { allocate, type PdfDocument } from '../pdfium.ts';
import { contoursOf, outlineReader } from './outline.ts';
import { coarseSide, type Shape, shapeOf } from './shape.ts';

/** PDFium's standard fonts: the shapes of most Latin print. */
const standardFonts = [
  'Helvetica',
  'Helvetica-Bold',
  'Helvetica-Oblique',
  'Helvetica-BoldOblique',
  'Times-Roman',
  'Times-Bold',
  'Times-Italic',
  'Times-BoldItalic',
  'Courier',
  'Courier-Bold',
];
/** Fonts from installed packages: further scripts and shapes. */
const packagedFonts = [
  'DejaVuSans.ttf',
  'DejaVuSans-Bold.ttf',
  'DejaVuSerif.ttf',
  'DejaVuSerif-Italic.ttf',
  'DejaVuSansMono.ttf',
];
/** FPDF_FONT_TRUETYPE in PDFium's public header. */
const trueType = 2;

/** A code point that is not a character. */
export const noCharacter = 0xfffe;

/** The letters and digits of Latin print. */
const latin = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** The shapes of characters in common fonts. */
export interface References {
  /** Returns the shapes of a character; empty if no font has it. */
  of(character: string): readonly Shape[];
  /** The letters and digits for which a shape may be mistaken. */
  latin: readonly { character: string; shape: Shape }[];
  /** The coarse cells of `latin`, one shape after another. */
  coarse: Float32Array;
}

/** A small set of references, and a set of more fonts. */
type Sets = { standard: References; all(): References };

const made = new WeakMap<PdfDocument['pdfium'], Sets>();

/** Returns the references of this process. The larger set is loaded when it is first needed. */
export function referencesOf({ pdfium }: Pick<PdfDocument, 'pdfium'>): Sets {
  const known = made.get(pdfium) ?? makeSets(pdfium);
  made.set(pdfium, known);
  return known;
}

function makeSets(pdfium: PdfDocument['pdfium']): Sets {
  const handle = pdfium.FPDF_CreateNewDocument();
  const document: PdfDocument = {
    pdfium,
    path: '',
    handle,
    pageCount: 0,
    encrypted: false,
    mayHaveMasks: () => false,
    close: () => pdfium.FPDF_CloseDocument(handle),
  };
  const standard = standardFonts.map((name) => pdfium.FPDFText_LoadStandardFont(handle, name));
  const few = makeReferences(document, standard);
  let all: References | undefined;
  return {
    standard: few,
    all() {
      all ??= makeReferences(document, [
        ...standard,
        ...packagedFonts.map((name) => loadFont(document, name)),
      ]);
      return all;
    },
  };
}

function makeReferences(document: PdfDocument, loaded: readonly number[]): References {
  const read = outlineReader(document, allocate(document.pdfium, 8));
  // A font draws the same box for all characters that it does not contain.
  const fonts = loaded
    .filter((font) => font !== 0)
    .map((font) => ({ font, missing: read(font, noCharacter)?.digest }));
  const shapes = new Map<string, readonly Shape[]>();
  const of = (character: string): readonly Shape[] => {
    const known = shapes.get(character);
    if (known) return known;
    const code = character.codePointAt(0) ?? 0;
    const found = fonts.flatMap(({ font, missing }) => {
      const outline = read(font, code);
      if (!outline || outline.digest === missing) return [];
      return shapeOf(contoursOf(outline)) ?? [];
    });
    shapes.set(character, found);
    return found;
  };
  const all = [...latin].flatMap((character) =>
    of(character).map((shape) => ({ character, shape })),
  );
  const coarse = new Float32Array(all.length * coarseSide ** 2);
  all.forEach(({ shape }, at) => {
    if (shape.coarse) coarse.set(shape.coarse, at * coarseSide ** 2);
  });
  return { of, latin: all, coarse };
}

function loadFont({ pdfium, handle }: PdfDocument, name: string): number {
  const require = createRequire(import.meta.url);
  const folder = dirname(require.resolve('dejavu-fonts-ttf/package.json'));
  const bytes = readFileSync(join(folder, 'ttf', name));
  const at = allocate(pdfium, bytes.length);
  try {
    pdfium.heap().set(bytes, at);
    return pdfium.FPDFText_LoadFont(handle, at, bytes.length, trueType, true);
  } finally {
    pdfium.pdfium.wasmExports.free(at);
  }
}
