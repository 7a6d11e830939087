import { gazetteerBits as bits } from './gazetteer.ts';
import type { Run } from './names.ts';
import { gaps, PAD, shapes, type TaggerSegment } from './segment.ts';
import { isName } from './stems.ts';

const symbol = (sign: string): number => shapes.symbol + (sign.charCodeAt(0) & 0x3ff);
const COMMA = symbol(',');
const AMPERSAND = symbol('&');
const ends = new Set([...'.;!?)'].map(symbol));
const and = /^(?:and|und|et|y|e|en|i|og|och|oder|or|ou|o|of|lub|sowie|plus)$/;
const elsewhere = bits.country | bits.region | bits.calendar | bits.organization;
/** Maximum number of people in a list. */
const maxItems = 40;

/**
 * Returns the single first names in a list of people: before the name with a surname ("Cem,
 * Ludmilla und Aylin Yıldız", "Ada & Ben Stone"), and at the end ("Rocco Barbieri, Chiara Trovato,
 * Benedetta").
 */
export function besideNames(text: string, segment: TaggerSegment, run: Run): Run[] {
  return [...before(text, segment, run), ...behind(text, segment, run)];
}

function before(text: string, segment: TaggerSegment, run: Run): Run[] {
  if (wordsIn(segment, run) < 2) return [];
  const found: Run[] = [];
  for (let at = run.from; at >= 2 && found.length < maxItems; at -= 2) {
    const isAnd = isJoint(text, segment, at - 1);
    // A comma joins only items of a list that ends with "and".
    if (!isAnd && !(found.length > 0 && segment.shape[PAD + at - 1] === COMMA)) break;
    const isOne = isAnd ? isFirstName : isOnlyName;
    if (segment.gap[PAD + at] !== gaps.space || !isOne(segment, at - 2)) break;
    found.push({ from: at - 2, to: at - 1 });
  }
  return found;
}

function behind(text: string, segment: TaggerSegment, run: Run): Run[] {
  const at = run.to + 1;
  if (wordsIn(segment, run) < 2 || at >= segment.count || segment.gap[PAD + at] !== gaps.space)
    return [];
  const isComma = segment.shape[PAD + run.to] === COMMA;
  if (!isComma && !isJoint(text, segment, run.to)) return [];
  if (!isOnlyName(segment, at)) return [];
  const next = segment.shape[PAD + at + 1]!;
  const isLast =
    at + 1 === segment.count || segment.gap[PAD + at + 1]! >= gaps.line || ends.has(next);
  return isLast || next === COMMA ? [{ from: at, to: at + 1 }] : [];
}

function isJoint(text: string, { start, end, shape, gap }: TaggerSegment, token: number): boolean {
  if (gap[PAD + token] !== gaps.space) return false;
  return (
    shape[PAD + token] === AMPERSAND || and.test(text.slice(start[PAD + token], end[PAD + token]))
  );
}

const isCapital = ({ shape }: TaggerSegment, token: number): boolean =>
  shape[PAD + token] === shapes.title || shape[PAD + token] === shapes.mixed;

/** Whether a word may be a first name; it may have other meanings. */
function isFirstName(segment: TaggerSegment, token: number): boolean {
  const mask = segment.gazetteer[PAD + token]!;
  return isCapital(segment, token) && (mask & bits.first) !== 0 && (mask & elsewhere) === 0;
}

/** Whether a word is only a first name. */
function isOnlyName(segment: TaggerSegment, token: number): boolean {
  const mask = segment.gazetteer[PAD + token]!;
  return isCapital(segment, token) && (mask & bits.first) !== 0 && isName(mask);
}

function wordsIn({ shape }: TaggerSegment, { from, to }: Run): number {
  return shape.subarray(PAD + from, PAD + to).filter((own) => own < shapes.symbol).length;
}
