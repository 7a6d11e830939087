import { EngineError } from '../../../errors.ts';
import { type Matrix, userToDisplay } from '../../../geometry.ts';
import { type FontLook, fontReader } from '../../../pdf/page-fonts.ts';
import { readAs } from '../../../pdf/page-glyphs.ts';
import { type PdfDocument, rawFunction, withSlots } from '../../../pdf/pdfium.ts';
import type { Frame } from '../../../results.ts';
import { artifact, ascent, descent, type LeaningWord, unreadable, wordGap } from './word.ts';

/** Far more than a page that a person reads; a page with more is refused. */
const mostLetters = 300_000;
/** Text render modes of PDF 32000-1 §9.3.6. */
const strokedToo = 2;
const invisible = 3;
const clipOnly = 7;
/** Text of a smaller size, in points, is not meant to be seen. */
const leastSize = 0.5;

/** So many ways of setting text are remembered at a time. */
const mostLike = 8;

const shaped = /[\ufb1d-\ufdff\ufe70-\ufeff]/u;
/**
 * Letters that run from right to left, with the signs that are theirs alone and the vowels that Unicode
 * counts to no script; no number does, nor the signs within one (٪ ٫ ٬).
 */
const turnedLetter =
  /(?![\p{N}\u066a-\u066c])[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}،؛؟ـ\u064b-\u0655\u0670]/u;
const runsRight = /[\p{L}\p{N}]/u;
/** Tells whether letters join; has no width. */
const joiner = /^[\u200c\u200d]$/;
/** Marks that stand before the letter they are on. */
const marksBefore = /(\p{M}+)([^\p{M}])/gu;
/** Letters that one glyph reads as: more than any ligature has, or a letter with all its vowels. */
const mostTogether = 12;

const symbolFont = /wingding|dingbat|webding/i;
/** What fonts of symbols show at some codes of Wingdings, those that lists and forms use. */
const symbols: Readonly<Record<number, string>> = {
  111: '☐',
  113: '☐',
  168: '☐',
  114: '☐',
  120: '☒',
  253: '☒',
  254: '☑',
  252: '✓',
  251: '✗',
  224: '→',
  232: '→',
};

/** What a sign of such a font reads as: a box, a tick or an arrow where known, else a bullet. */
function symbolOf(code: number): string {
  return symbols[code >= 0xf000 && code <= 0xf0ff ? code - 0xf000 : code] ?? signOf(code);
}

const signOf = (code: number): string =>
  code >= 0x2190 && code < 0xe000 ? String.fromCodePoint(code) : '•';

/** What the letters of one text object share. */
type Set = FontLook & {
  size: number;
  angle: number;
  cos: number;
  sin: number;
  seen: boolean;
  mark: number;
  /** A font of signs, whose codes read as letters. */
  symbols: boolean;
};

type OwnText = {
  words: LeaningWord[];
  /** Text that is not drawn, as of a recognised layer under a scan. */
  hidden: LeaningWord[];
  /** Letters of which nobody knows what they read as. */
  unread: number;
};

type Place = { x: number; y: number };

type Draft = {
  /** What each glyph reads as, in the order they come in. */
  units: string[];
  set: Set;
  x: number;
  y: number;
  /** Along the baseline, from `x`, `y`: where it begins, ends, and where the last letter stands. */
  from: number;
  to: number;
  last: number;
  lastTo: number;
  rises: number;
  falls: number;
  turned: boolean;
  /** Whether the last unit is several letters. */
  together: boolean;
  /** Blanks beside it, on the left and on the right where the line runs level. */
  blankBefore: boolean;
  blankAfter: boolean;
};

/** The page's own words in the order of its content. Throws EngineError too_large. */
export function readOwnText(document: PdfDocument, page: number, frame: Frame): OwnText {
  const { pdfium } = document;
  const text = pdfium.FPDFText_LoadPage(page);
  if (text === 0) return { words: [], hidden: [], unread: 0 };
  try {
    const count = pdfium.FPDFText_CountChars(text);
    if (count > mostLetters) {
      throw new EngineError('too_large', 'A page of the PDF has more text than can be read.');
    }
    return withSlots(pdfium, 12, (at) =>
      readWords(document, { text, count }, userToDisplay(frame), at),
    );
  } finally {
    pdfium.FPDFText_ClosePage(text);
  }
}

function readWords(
  document: PdfDocument,
  { text, count }: { text: number; count: number },
  toDisplay: Matrix,
  at: number,
): OwnText {
  const { pdfium } = document;
  const raw = (name: string): ((...args: number[]) => number) => rawFunction(pdfium, name);
  const getObject = raw('FPDFText_GetTextObject');
  const getOrigin = raw('FPDFText_GetCharOrigin');
  const getCell = raw('FPDFText_GetLooseCharBox');
  const getUnicode = raw('FPDFText_GetUnicode');
  const hasNoMap = raw('FPDFText_HasUnicodeMapError');
  const setOf = setReader(document, text, toDisplay, at);
  const found: OwnText = { words: [], hidden: [], unread: 0 };
  let draft: Draft | undefined;
  /** Where the last blank stands that no word came after. */
  let blank: Place | undefined;
  let turns = false;
  let object = 0;
  let set: Set | undefined;
  let doubles: Float64Array = new Float64Array();
  let floats: Float32Array = new Float32Array();
  const end = (): void => {
    if (draft) {
      const word = wordOf(draft);
      if (word) (draft.set.seen ? found.words : found.hidden).push(word);
    }
    draft = undefined;
  };
  const [ta, tb, tc, td, te, tf] = toDisplay;
  for (let index = 0; index < count; index += 1) {
    const holder = getObject(text, index);
    // Blanks and line ends that PDFium made up belong to no text object.
    if (holder === 0) continue;
    if (holder !== object || !set) {
      object = holder;
      set = setOf(holder, index);
    }
    const code = getUnicode(text, index);
    let reads = hasNoMap(text, index) === 0 ? readAs(code) : '';
    if (set.symbols && code > 0x20) reads = symbolOf(code);
    if (code >= 0xd800 && code < 0xdc00 && index + 1 < count) {
      const low = getUnicode(text, index + 1);
      if (low >= 0xdc00 && low < 0xe000) {
        reads = String.fromCharCode(code, low);
        index += 1;
      }
    }
    if (reads === ' ') {
      if (draft?.turned && getCell(text, index, at + 16) !== 0) {
        // One of no width keeps letters from joining, within a word.
        const [l = 0, , r = 0] = new Float32Array(pdfium.heap().buffer, at + 16, 4);
        if (tb === 0 && Math.abs(r - l) < 0.05 * set.size) continue;
      }
      blank = { x: Number.NaN, y: Number.NaN };
      // Where text runs from the right, what was written before may stand on either side.
      if (turns && getOrigin(text, index, at, at + 8) !== 0) {
        const [bx = 0, by = 0] = new Float64Array(pdfium.heap().buffer, at, 2);
        blank = { x: ta * bx + tc * by + te, y: tb * bx + td * by + tf };
      }
      if (draft) setBlank(draft, blank, 'after');
      end();
      continue;
    }
    if (draft?.turned && joiner.test(reads)) {
      // It has no look of its own, whatever font it is set in.
      draft.units.push(reads);
      continue;
    }
    if (reads === '') {
      found.unread += 1;
      if (!set.seen) continue;
      reads = unreadable;
    }
    if (set.size < leastSize || getOrigin(text, index, at, at + 8) === 0) continue;
    const cell = getCell(text, index, at + 16) !== 0;
    // When PDFium's memory grows, what was a view of it is empty.
    if (doubles.length === 0) {
      const { buffer } = pdfium.heap();
      doubles = new Float64Array(buffer, at, 2);
      floats = new Float32Array(buffer, at + 16, 4);
    }
    const px = doubles[0] ?? 0;
    const py = doubles[1] ?? 0;
    const [l = 0, , r = 0] = floats;
    let width = Math.abs(r - l);
    const height = Math.abs((floats[1] ?? 0) - (floats[3] ?? 0));
    const x = ta * px + tc * py + te;
    const y = tb * px + td * py + tf;
    const { cos, sin, size } = set;
    if (shaped.test(reads)) reads = reads.normalize('NFKC');
    const turned = reads > '\u0590' && turnedLetter.test(reads);
    turns ||= turned;
    let together = false;
    if (turned && cell && width > 0) {
      // What one glyph reads as comes letter by letter in one place, which PDFium turns round, too.
      let [from, to] = [Math.min(l, r), Math.max(l, r)];
      for (let more = 1; more < mostTogether && index + 1 < count; more += 1) {
        const next = index + 1;
        if (getObject(text, next) !== holder || getOrigin(text, next, at, at + 8) === 0) break;
        if (doubles[0] !== px || doubles[1] !== py || getCell(text, next, at + 16) === 0) break;
        const [l = 0, , r = 0] = floats;
        if (Math.abs(Math.abs(r - l) - width) > 0.01 * size) break;
        reads = readAs(getUnicode(text, next)) + reads;
        [from, to] = [Math.min(from, l, r), Math.max(to, l, r)];
        index = next;
        together = true;
      }
      width = to - from;
    }
    const advance = cell ? advanceOf(width, height, set, tb !== 0) : size / 2;
    if (!Number.isFinite(x + y + advance)) continue;
    if (draft) {
      const dx = (x - draft.x) * cos + (y - draft.y) * sin;
      const dy = (y - draft.y) * cos - (x - draft.x) * sin;
      // Of letters that stand for several glyphs there is the ink, and not how far the pen moves on.
      const room = together || draft.together ? 0.6 * size : wordGap * size;
      const onward = dx - draft.lastTo;
      const back = draft.last - (dx + advance);
      const joins = draft.set === set || (draft.set.size === size && sameLook(draft.set, set));
      // A number that touches letters running the other way is a word by itself.
      const mixed =
        turned !== draft.turned && runsRight.test(turned ? draft.units.join('') : reads);
      // A letter that reaches over the one before, as alef does over lam; no shadow of it.
      const over =
        onward < room && back < room && reads !== draft.units.at(-1) && advance > 0.05 * size;
      const goesOn =
        joins &&
        !mixed &&
        Math.abs(dy) < 0.1 * size &&
        ((onward < room && onward > -0.5 * size) ||
          (turned && draft.turned && (over || (back < room && back > -0.5 * size))) ||
          // Marks over letters have their place within the letter.
          (advance < 0.05 * size && dx > draft.from - 0.3 * size && dx < draft.to + 0.3 * size));
      if (goesOn) {
        if (dx > draft.last) draft.rises += 1;
        else if (dx < draft.last) draft.falls += 1;
        draft.units.push(reads);
        draft.turned ||= turned;
        draft.from = Math.min(draft.from, dx);
        draft.to = Math.max(draft.to, dx + advance);
        draft.last = dx;
        draft.lastTo = dx + advance;
        draft.together = together;
        continue;
      }
      end();
    }
    draft = {
      units: [reads],
      set,
      x,
      y,
      from: 0,
      to: advance,
      last: 0,
      lastTo: advance,
      rises: 0,
      falls: 0,
      turned,
      blankBefore: false,
      blankAfter: false,
      together,
    };
    if (blank) setBlank(draft, blank, 'before');
    blank = undefined;
  }
  end();
  return found;
}

function sameLook(a: Set, b: Set): boolean {
  return (
    a.angle === b.angle &&
    a.bold === b.bold &&
    a.italic === b.italic &&
    a.mono === b.mono &&
    a.math === b.math &&
    a.seen === b.seen &&
    a.mark === b.mark
  );
}

/** How far the pen moves on: out of the upright box around pen, advance and the font's height. */
function advanceOf(width: number, height: number, { cos, sin }: Set, quarter: boolean): number {
  const [w, h] = quarter ? [height, width] : [width, height];
  if (sin === 0) return w;
  if (cos === 0) return h;
  const upright = cos * cos - sin * sin;
  if (Math.abs(upright) < 0.3) return Math.min(w, h) * 0.7;
  return Math.max(0, (w * Math.abs(cos) - h * Math.abs(sin)) / upright);
}

/**
 * Notes a blank that comes before or after a word in the order of the content, on the side where it
 * stands; where text runs from the right, one that stands elsewhere is none of this word's.
 */
function setBlank(draft: Draft, blank: Place, comes: 'before' | 'after'): void {
  const { cos, sin, size } = draft.set;
  const dx = (blank.x - draft.x) * cos + (blank.y - draft.y) * sin;
  const dy = (blank.y - draft.y) * cos - (blank.x - draft.x) * sin;
  const near = Math.abs(dy) < 0.5 * size && dx > draft.from - 2 * size && dx < draft.to + size;
  if (near && dx > (draft.from + draft.to) / 2) draft.blankAfter = true;
  else if (near) draft.blankBefore = true;
  else if (!draft.turned && comes === 'before') draft.blankBefore = true;
  else if (!draft.turned) draft.blankAfter = true;
}

function wordOf(draft: Draft): LeaningWord | undefined {
  const { set, turned, rises, falls, units } = draft;
  const { size, cos, sin, angle, bold, italic, mono, math, mark } = set;
  // Letters of Arabic or Hebrew that come from left to right come in the wrong order.
  if (turned && rises > falls) units.reverse();
  let text = units.join('');
  if (turned && /^\p{M}.*\P{M}$/u.test(text)) text = text.replace(marksBefore, '$2$1');
  // Programs set a bullet again for a shadow, or once in each of two fonts.
  if (/^•+$/.test(text)) text = '•';
  else if (text.length > 1 && text.includes(unreadable)) {
    text = text.replaceAll(unreadable, '');
    if (text === '') return undefined;
  }
  const [fx, fy] = [draft.x + draft.from * cos, draft.y + draft.from * sin];
  const length = draft.to - draft.from;
  if (length <= 0 && size <= 0) return undefined;
  // As if its line ran level: `turnLevel` puts it where it is on the turned page.
  return {
    text,
    box: [fx, fy - ascent * size, fx + length, fy + descent * size],
    base: fy,
    size,
    blankBefore: draft.blankBefore,
    blankAfter: draft.blankAfter,
    confidence: 1,
    source: 'pdf',
    mark,
    href: null,
    bold,
    italic,
    mono,
    math,
    angle,
  };
}

/** Reads what the letters of a text object share; each object but once. */
function setReader(
  document: PdfDocument,
  text: number,
  toDisplay: Matrix,
  at: number,
): (object: number, index: number) => Set {
  const { pdfium } = document;
  const raw = (name: string): ((...args: number[]) => number) => rawFunction(pdfium, name);
  const getMode = raw('FPDFTextObj_GetTextRenderMode');
  const getFont = raw('FPDFTextObj_GetFont');
  const getMatrix = raw('FPDFText_GetMatrix');
  const getSize = raw('FPDFText_GetFontSize');
  const getMark = raw('FPDFPageObj_GetMarkedContentID');
  const countMarks = raw('FPDFPageObj_CountMarks');
  const markAt = raw('FPDFPageObj_GetMark');
  const nameOf = raw('FPDFPageObjMark_GetName');
  const isArtifact = (object: number): boolean => {
    const marks = Math.min(8, countMarks(object));
    for (let index = 0; index < marks; index += 1) {
      // The name in UTF-16; `Artifact` is what a page shows beside its content (§14.8.2.2).
      if (nameOf(markAt(object, index), at + 64, 18, at + 88) === 0) continue;
      const { buffer } = pdfium.heap();
      if (Buffer.from(buffer, at + 64, 16).toString('utf16le') === 'Artifact') return true;
    }
    return false;
  };
  const lookOf = fontReader(document);
  const known = new Map<number, Set>();
  /** What the sets were made of, as few as there are: most objects are set like one before. */
  const made: { key: readonly number[]; set: Set }[] = [];
  let floats: Float32Array = new Float32Array();
  const [ta, tb, tc, td] = toDisplay;
  return (object, index) => {
    const before = known.get(object);
    if (before) return before;
    let [a, b, c, d] = [1, 0, 0, 1];
    if (getMatrix(text, index, at + 40) !== 0) {
      if (floats.length === 0) floats = new Float32Array(pdfium.heap().buffer, at + 40, 4);
      a = floats[0] ?? 1;
      b = floats[1] ?? 0;
      c = floats[2] ?? 0;
      d = floats[3] ?? 1;
    }
    const mode = getMode(object);
    const font = getFont(object);
    const fontSize = getSize(text, index);
    const mark = isArtifact(object) ? artifact : getMark(object);
    const key = [font, mode, fontSize, mark, a, b, c, d];
    const like = made.findLast((other) => other.key.every((value, place) => value === key[place]));
    if (like) {
      known.set(object, like.set);
      return like.set;
    }
    const look = lookOf(font);
    const ux = ta * a + tc * b;
    const uy = tb * a + td * b;
    const exact = ux === 0 && uy === 0 ? 0 : (Math.atan2(uy, ux) * 180) / Math.PI;
    const angle = Math.round(exact * 10) / 10 + 0;
    const level = angle % 90 === 0;
    const radians = (angle * Math.PI) / 180;
    const size = Math.round(Math.abs(fontSize) * Math.hypot(c, d) * 100) / 100;
    const set: Set = {
      ...look,
      bold: look.bold || mode === strokedToo,
      size: Number.isFinite(size) ? size : 0,
      angle,
      cos: level ? Math.round(Math.cos(radians)) : Math.cos(radians),
      sin: level ? Math.round(Math.sin(radians)) : Math.sin(radians),
      seen: mode !== invisible && mode !== clipOnly,
      mark,
      symbols: symbolFont.test(look.name),
    };
    known.set(object, set);
    // Sizes of a page are few; where marks are many they are those of the last lines.
    if (made.length >= mostLike) made.shift();
    made.push({ key, set });
    return set;
  };
}
