import { gazetteerBits as bits } from './gazetteer.ts';
import { gaps, isCode, PAD, SEGMENT_TOKENS, shapes, type TaggerSegment } from './segment.ts';

const COLON = shapes.symbol + 0x3a;

/** Cues of nearby tokens, one bit each. */
const cues = {
  number: 1,
  longNumber: 2,
  street: 4,
  unit: 8,
  place: 16,
  legal: 32,
  honorific: 64,
  name: 128,
} as const;

/** The case of a line: mostly lower case, title case or all capitals. */
const lineCases = { running: 0, title: 1, upper: 2, lower: 3, bare: 4 } as const;

/**
 * The context that the features of a segment need in addition to single tokens: lines, their labels
 * and nearby tokens.
 */
export class Context {
  /** The distances of a token from the start and the end of its line, 0 to 3. */
  readonly fromLeft = column();
  readonly toRight = column();
  readonly lineCase = column();
  /**
   * The counts of numbers and of code characters in the line, each as none, one, two or more;
   * combined, 0 to 15.
   */
  readonly lineSigns = column();
  /**
   * The hash of the word before the closest colon to the left on the line; otherwise, before a
   * colon at the end of the line above; otherwise 0.
   */
  readonly label = column();
  /** The cues of a token, of the four tokens before it, and of the four tokens after it. */
  readonly cue = column();
  readonly cueBefore = column();
  readonly cueAfter = column();

  read(segment: TaggerSegment): void {
    this.readCues(segment);
    const end = PAD + segment.count;
    let lineStart = PAD;
    let above = 0;
    for (let at = PAD + 1; at <= end; at++) {
      if (at === end || segment.gap[at]! >= gaps.line) {
        above = this.readLine(segment, lineStart, at, above);
        lineStart = at;
      }
    }
  }

  private readLine(segment: TaggerSegment, from: number, to: number, above: number): number {
    let lower = 0;
    let title = 0;
    let upper = 0;
    let numbers = 0;
    let signs = 0;
    for (let at = from; at < to; at++) {
      const shape = segment.shape[at]!;
      if (shape > shapes.digits && shape < shapes.symbol) numbers++;
      else if (shape > shapes.symbol && isCode(shape - shapes.symbol)) signs++;
      if (shape === shapes.lower) lower++;
      else if (shape === shapes.title || shape === shapes.mixed) title++;
      else if (shape === shapes.upper) upper++;
    }
    const lineCase = caseOf(lower, title, upper);
    const lineSigns = Math.min(3, numbers) * 4 + Math.min(3, signs);
    let label = above;
    for (let at = from; at < to; at++) {
      this.fromLeft[at] = Math.min(3, at - from);
      this.toRight[at] = Math.min(3, to - 1 - at);
      this.lineCase[at] = lineCase;
      this.lineSigns[at] = lineSigns;
      this.label[at] = label;
      if (segment.shape[at] === COLON && at > from) label = segment.word[at - 1]!;
    }
    return segment.shape[to - 1] === COLON ? label : 0;
  }

  private readCues(segment: TaggerSegment): void {
    const end = PAD + segment.count;
    this.cue.fill(0, 0, PAD);
    this.cue.fill(0, end, end + PAD);
    for (let at = PAD; at < end; at++) this.cue[at] = cueOf(segment, at);
    for (let at = PAD; at < end; at++) {
      const cue = this.cue;
      this.cueBefore[at] = cue[at - 1]! | cue[at - 2]! | cue[at - 3]! | cue[at - 4]!;
      this.cueAfter[at] = cue[at + 1]! | cue[at + 2]! | cue[at + 3]! | cue[at + 4]!;
    }
  }
}

function column(): Int32Array {
  return new Int32Array(SEGMENT_TOKENS + 2 * PAD);
}

function caseOf(lower: number, title: number, upper: number): number {
  const words = lower + title + upper;
  if (words === 0) return lineCases.bare;
  if (upper * 2 > words && lower * 4 < words) return lineCases.upper;
  if (title + upper === 0) return lineCases.lower;
  return lower * 3 <= words ? lineCases.title : lineCases.running;
}

function cueOf(segment: TaggerSegment, at: number): number {
  const shape = segment.shape[at]!;
  let cue = 0;
  if (shape > shapes.digits && shape < shapes.symbol) {
    cue = shape >= shapes.digits + 4 ? cues.longNumber : cues.number;
  } else if (shape === shapes.digitsThenLetters) cue = cues.number;
  const mask = segment.gazetteer[at]!;
  if (mask & bits.street) cue |= cues.street;
  if (mask & bits.unit) cue |= cues.unit;
  if (mask & (bits.country | bits.region | bits.city) && !(mask & bits.commonest)) {
    cue |= cues.place;
  }
  if (mask & (bits.legal | bits.organization)) cue |= cues.legal;
  if (mask & bits.honorific) cue |= cues.honorific;
  if (mask & (bits.first | bits.last) && !(mask & (bits.commonest | bits.common))) cue |= cues.name;
  return cue;
}
