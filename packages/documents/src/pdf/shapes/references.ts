import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { allocate, type PdfDocument } from '../pdfium.ts';
import { contoursOf, outlineReader } from './outline.ts';
import { coarseCellsPerSide, type Shape, shapeOf } from './shape.ts';

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
export const noncharacter = 0xfffe;

/** The letters and digits of Latin print. */
const latinCharacters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** The shapes of characters in common fonts. */
export interface References {
  /** Returns the shapes of a character; empty if no font has it. */
  shapesOf(character: string): readonly Shape[];
  /** The letters and digits that a shape may be mistaken for. */
  latin: readonly { character: string; shape: Shape }[];
  /** The coarse cells of the shapes in `latin`, one shape after another. */
  coarse: Float32Array;
}

/** A small set of references, and a set of more fonts. */
type ReferenceSets = { standard: References; all(): References };

const setsByPdfium = new WeakMap<PdfDocument['pdfium'], ReferenceSets>();

/** Returns the references of this process. The larger set is loaded when it is first needed. */
export function referencesOf({ pdfium }: Pick<PdfDocument, 'pdfium'>): ReferenceSets {
  const sets = setsByPdfium.get(pdfium) ?? makeReferenceSets(pdfium);
  setsByPdfium.set(pdfium, sets);
  return sets;
}

function makeReferenceSets(pdfium: PdfDocument['pdfium']): ReferenceSets {
  const handle = pdfium.FPDF_CreateNewDocument();
  const document: PdfDocument = {
    pdfium,
    path: '',
    handle,
    pageCount: 0,
    encrypted: false,
    mayHaveMasks: () => false,
    // The document stays open as long as the process runs.
    onClose: () => undefined,
    close: () => pdfium.FPDF_CloseDocument(handle),
  };
  const standard = standardFonts.map((name) => pdfium.FPDFText_LoadStandardFont(handle, name));
  const standardReferences = makeReferences(document, standard);
  let allReferences: References | undefined;
  return {
    standard: standardReferences,
    all() {
      allReferences ??= makeReferences(document, [
        ...standard,
        ...packagedFonts.map((name) => loadFont(document, name)),
      ]);
      return allReferences;
    },
  };
}

function makeReferences(document: PdfDocument, loaded: readonly number[]): References {
  const read = outlineReader(document, allocate(document.pdfium, 8));
  // A font draws the same box for all characters that it does not contain.
  const fonts = loaded
    .filter((font) => font !== 0)
    .map((font) => ({ font, missing: read(font, noncharacter)?.digest }));
  const shapes = new Map<string, readonly Shape[]>();
  const shapesOf = (character: string): readonly Shape[] => {
    const cached = shapes.get(character);
    if (cached) return cached;
    const code = character.codePointAt(0) ?? 0;
    const characterShapes = fonts.flatMap(({ font, missing }) => {
      const outline = read(font, code);
      if (!outline || outline.digest === missing) return [];
      return shapeOf(contoursOf(outline)) ?? [];
    });
    shapes.set(character, characterShapes);
    return characterShapes;
  };
  const latinShapes = [...latinCharacters].flatMap((character) =>
    shapesOf(character).map((shape) => ({ character, shape })),
  );
  const coarse = new Float32Array(latinShapes.length * coarseCellsPerSide ** 2);
  latinShapes.forEach(({ shape }, at) => {
    if (shape.coarse) coarse.set(shape.coarse, at * coarseCellsPerSide ** 2);
  });
  return { shapesOf, latin: latinShapes, coarse };
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
