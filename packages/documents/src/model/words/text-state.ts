import { type FontStyle, fontReader } from '../../pdf/page-fonts.ts';
import type { Glyph } from '../../pdf/page-glyphs.ts';
import { type PdfDocument, rawFunction } from '../../pdf/pdfium.ts';
import { symbolFont } from './characters.ts';
import { artifactMark } from './word.ts';

/** Text render modes (PDF 32000-1 §9.3.6). */
const fillAndStroke = 2;
const invisible = 3;
const clipOnly = 7;
/** The maximum number of cached text states. */
const maxCachedStates = 8;
/** Maximum number of nested marks that are read. */
const maxMarks = 8;

/** The state that the letters of a text object share. */
export type TextState = FontStyle & {
  size: number;
  angle: number;
  cos: number;
  sin: number;
  visible: boolean;
  mark: number;
  /** Whether the font is a symbol font, whose codes map to letters. */
  symbols: boolean;
};

/** Whether letters with these states may form one word: they differ only in size and position. */
export function haveSameStyle(a: TextState, b: TextState): boolean {
  return (
    a.angle === b.angle &&
    a.bold === b.bold &&
    a.italic === b.italic &&
    a.mono === b.mono &&
    a.math === b.math &&
    a.visible === b.visible &&
    a.mark === b.mark
  );
}

/**
 * Returns a function that reads the state of a glyph, once per text object. `at` is the address of
 * memory for four numbers.
 */
export function textStateReader(
  document: PdfDocument,
  at: number,
): (glyph: Pick<Glyph, 'object' | 'angle' | 'size'>) => TextState {
  const raw = (name: string): ((...args: number[]) => number) => rawFunction(document.pdfium, name);
  const getMode = raw('FPDFTextObj_GetTextRenderMode');
  const getFont = raw('FPDFTextObj_GetFont');
  const markOf = markReader(document, at);
  const fontStyleOf = fontReader(document);
  const statesByObject = new Map<number, TextState>();
  /** Cached states with their components: most objects have the same state as an earlier object. */
  const recentStates: { key: readonly number[]; state: TextState }[] = [];
  return ({ object, angle, size }) => {
    const cached = statesByObject.get(object);
    if (cached) return cached;
    const key = [getFont(object), getMode(object), markOf(object), angle, size];
    let state = recentStates.findLast((other) =>
      other.key.every((value, at) => value === key[at]),
    )?.state;
    if (!state) {
      const [font = 0, mode = 0, mark = -1] = key;
      state = stateOf(fontStyleOf(font), { mode, mark, angle, size });
      // A page has few sizes. If it has many marks, the cache contains the states of the last
      // lines.
      if (recentStates.length >= maxCachedStates) recentStates.shift();
      recentStates.push({ key, state });
    }
    statesByObject.set(object, state);
    return state;
  };
}

type StateParts = { mode: number; mark: number; angle: number; size: number };

/** Returns a state in which size and angle are equal for letters that look equal. */
function stateOf(fontStyle: FontStyle, { mode, mark, angle: exact, size }: StateParts): TextState {
  const rounded = Math.round(exact * 10) / 10 + 0;
  // The same direction: text that is upside down may have either, depending on the sign of a zero.
  const angle = rounded === -180 ? 180 : rounded;
  const isLevel = angle % 90 === 0;
  const radians = (angle * Math.PI) / 180;
  return {
    ...fontStyle,
    bold: fontStyle.bold || mode === fillAndStroke,
    size: Math.round(size * 100) / 100,
    angle,
    cos: isLevel ? Math.round(Math.cos(radians)) : Math.cos(radians),
    sin: isLevel ? Math.round(Math.sin(radians)) : Math.sin(radians),
    visible: mode !== invisible && mode !== clipOnly,
    mark,
    symbols: symbolFont.test(fontStyle.name),
  };
}

/**
 * Returns a function that reads the identifier of the marked content of a text object;
 * `artifactMark` for artifacts.
 */
function markReader({ pdfium }: PdfDocument, at: number): (object: number) => number {
  const raw = (name: string): ((...args: number[]) => number) => rawFunction(pdfium, name);
  const getMark = raw('FPDFPageObj_GetMarkedContentID');
  const countMarks = raw('FPDFPageObj_CountMarks');
  const markAt = raw('FPDFPageObj_GetMark');
  const nameOf = raw('FPDFPageObjMark_GetName');
  return (object) => {
    const marks = Math.min(maxMarks, countMarks(object));
    for (let index = 0; index < marks; index += 1) {
      // The name is in UTF-16. `Artifact` marks decoration that is not part of the content
      // (§14.8.2.2).
      if (nameOf(markAt(object, index), at, 18, at + 24) === 0) continue;
      const { buffer } = pdfium.heap();
      if (Buffer.from(buffer, at, 16).toString('utf16le') === 'Artifact') return artifactMark;
    }
    return getMark(object);
  };
}
