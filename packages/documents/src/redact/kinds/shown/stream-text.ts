import { firstWhere } from '@scriptorium/pii/first-where';
import { cellEnd, isPiece, lineEnd, type Stream, visitParts } from '../stream.ts';

/**
 * The text of a stream as shown to reviewers, with a mapping to and from the stream. Stretches of
 * equal length map to each other. Between them is text that only one side has: contexts, spaces
 * that are collapsed, row numbers.
 */
export class StreamText {
  text = '';
  private readonly shown: number[] = [];
  private readonly raw: number[] = [];
  private readonly lengths: number[] = [];

  /**
   * @param isTable whether line breaks and tabs inside cells must differ from those between cells
   */
  constructor(stream: Stream, isTable: boolean) {
    const chunks: string[] = [];
    let length = 0;
    let isBlank = false;
    const add = (text: string, from: number): void => {
      if (text === '') return;
      chunks.push(text);
      this.addStretch(length, from, text.length);
      length += text.length;
    };
    visitParts(stream, (part, start) => {
      if (typeof part === 'string') {
        isBlank = false;
        add(part === cellEnd ? '\t' : lineEndPattern.test(part) ? '\n' : part, start);
      } else if (isPiece(part)) {
        if (!stream.collapse) return add(isTable ? cellText(part.text) : part.text, start);
        for (const { index, 0: run } of part.text.matchAll(/[ \t\r\n\f]+|[^ \t\r\n\f]+/g)) {
          const blank = /^[ \t\r\n\f]/.test(run);
          if (!blank) add(run, start + index);
          else if (!isBlank) add(' ', start + index);
          isBlank = blank;
        }
      } else if ('shown' in part) {
        chunks.push(part.shown);
        length += part.shown.length;
      }
    });
    this.text = chunks.join('');
  }

  private addStretch(shown: number, raw: number, length: number): void {
    const last = this.shown.length - 1;
    const [lastLength = 0, from = 0, to = 0] = [
      this.lengths[last],
      this.shown[last],
      this.raw[last],
    ];
    if (last >= 0 && from + lastLength === shown && to + lastLength === raw) {
      this.lengths[last] = lastLength + length;
      return;
    }
    this.shown.push(shown);
    this.raw.push(raw);
    this.lengths.push(length);
  }

  /**
   * Returns the range of the stream that is shown in a range of the text; null if no part of the
   * stream is shown there.
   */
  rawRange(start: number, end: number): Range | null {
    return translateRange(this.shown, this.raw, this.lengths, start, end);
  }

  /**
   * Returns the range of the text in which a range of the stream is shown; null if it is not shown.
   */
  shownRange(start: number, end: number): Range | null {
    return translateRange(this.raw, this.shown, this.lengths, start, end);
  }
}

export interface Range {
  start: number;
  end: number;
}

const lineEndPattern = new RegExp(`^(?:\\r\\n|[\\r\\n\\f\\u2028${lineEnd}])$`);

/** Returns the text of a cell without characters that look like the end of the line or the cell. */
const cellText = (text: string): string => text.replace(/[\r\t]/g, ' ').replaceAll('\n', '\u2028');

function translateRange(
  from: readonly number[],
  to: readonly number[],
  lengths: readonly number[],
  start: number,
  end: number,
): Range | null {
  // The first stretch that ends after the start, and the last stretch that starts before the end.
  const first = firstWhere(from.length, (at) => from[at]! + lengths[at]! > start);
  const last = firstWhere(from.length, (at) => from[at]! >= end) - 1;
  if (first > last) return null;
  const inFirst = Math.max(0, start - from[first]!);
  const inLast = Math.min(lengths[last]!, end - from[last]!);
  return { start: to[first]! + inFirst, end: to[last]! + inLast };
}
