/** Names in lists: the list entry "Hoyer, Beatrix" is one name, "Anke, Björn" are two. */
import { gazetteerBits as bits } from './gazetteer.ts';
import type { Run } from './names.ts';
import { gaps, PAD, shapes, type TaggerSegment } from './segment.ts';

const symbol = (sign: string): number => shapes.symbol + (sign.charCodeAt(0) & 0x3ff);
const COMMA = symbol(',');
const before = new Set([...':;|•·–—*)'].map(symbol));
const behind = new Set([...':;|(–—•·'].map(symbol));
const DOT = symbol('.');
const suffix = /^(?:[JS]r|II|III|IV|M\.?D|Ph\.?D|Esq|MSc|BSc|MBA|LL\.?M)\b/;

/** Returns the comma that separates two names in a finding; -1 without such a comma. */
export function commaOf(text: string, segment: TaggerSegment, run: Run): number {
  for (let token = run.from + 1; token + 1 < run.to; token++) {
    if (segment.shape[PAD + token] !== COMMA) continue;
    const [family, given] = partsAt(run, token);
    if (suffix.test(text.slice(segment.start[PAD + given.from], segment.end[PAD + run.to - 1])))
      return -1;
    const isOne =
      isGiven(segment, given) &&
      isFamily(segment, family) &&
      ((startsEntry(segment, family.from) && endsEntry(segment, given.to)) ||
        isListed(segment, family));
    if (!isOne) return token;
  }
  return -1;
}

/** Returns the runs before and after a comma. */
export const partsAt = ({ from, to }: Run, comma: number): [Run, Run] => [
  { from, to: comma },
  { from: comma + 1, to },
];

/** Whether a name and the next name are a surname and first names, as in an entry of a list. */
export function isEntry(segment: TaggerSegment, family: Run, given: Run): boolean {
  return (
    given.from === family.to + 1 &&
    segment.shape[PAD + family.to] === COMMA &&
    segment.gap[PAD + given.from] === gaps.space &&
    startsEntry(segment, family.from) &&
    endsEntry(segment, given.to) &&
    isFamily(segment, family) &&
    isGiven(segment, given)
  );
}

/**
 * Whether a line that ends in a finding starts with a surname and a comma, or the next line does.
 */
export function isBetweenEntries({ shape, gap }: TaggerSegment, from: number, next: number) {
  const isBehindComma = shape[PAD + from - 1] === COMMA && gap[PAD + from - 2]! >= gaps.wide;
  return isBehindComma || (shape[PAD + next + 1] === COMMA && gap[PAD + next + 1] === gaps.none);
}

function startsEntry({ gap, shape }: TaggerSegment, token: number): boolean {
  const at = PAD + token;
  const isNumbered = shape[at - 1] === DOT && isNumber(shape[at - 2]!);
  return gap[at]! >= gaps.wide || before.has(shape[at - 1]!) || isNumbered;
}

function endsEntry({ count, gap, shape }: TaggerSegment, token: number): boolean {
  const at = PAD + token;
  if (token >= count || gap[at]! >= gaps.wide || behind.has(shape[at]!)) return true;
  const next = shape[at + 1]!;
  const isFollowed = shape[at] === COMMA && gap[at + 1]! < gaps.line;
  return isFollowed && (next === shapes.lower || isNumber(next));
}

const isNumber = (shape: number): boolean => shape > shapes.digits && shape < shapes.symbol;

/** Returns the gazetteer bits of the words in a run, ignoring initials and signs. */
function masksOf({ gazetteer, shape }: TaggerSegment, { from, to }: Run): number[] {
  const masks: number[] = [];
  for (let at = PAD + from; at < PAD + to; at++) {
    if (shape[at]! >= shapes.upper && shape[at]! <= shapes.mixed && shape[at] !== shapes.initial)
      masks.push(gazetteer[at]!);
  }
  return masks;
}

/** Whether no word of a run is only a first name. */
const isFamily = (segment: TaggerSegment, run: Run): boolean => {
  const masks = masksOf(segment, run);
  return (
    masks.length > 0 && masks.every((mask) => (mask & bits.first) === 0 || (mask & bits.last) !== 0)
  );
};

/** Whether no word of a run is only a surname. */
const isGiven = (segment: TaggerSegment, run: Run): boolean =>
  masksOf(segment, run).every((mask) => (mask & bits.last) === 0 || (mask & bits.first) !== 0);

/** Whether all words of a run are surnames and not first names. */
const isListed = (segment: TaggerSegment, run: Run): boolean =>
  masksOf(segment, run).every((mask) => (mask & bits.last) !== 0 && (mask & bits.first) === 0);
