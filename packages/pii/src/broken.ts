import type { PiiFinding } from './finding.ts';
import { isProse } from './resolve.ts';

/** A line end inside a value: behind a sign that no word ends with, or between digits. */
const lineEnd =
  /(?<=[\p{L}\p{N}](?<sign>[-@/._]?))(?<end>[ \t]{0,2}\r?\n[ \t]{0,40})(?=[\p{L}\p{N}])/gu;
/** Maximum length of the text before and after a line end that is read, in characters. */
const reach = 200;
const between = '\n\n';
/** Minimum score of a value whose digits continue on an indented line without a sign. */
const sure = 0.9;

/** A part of the joined text, and its position in the original. */
interface Part {
  here: number;
  there: number;
  length: number;
}

/**
 * Finds values that continue on the next line: `219-09-` and `9999`, `ute.hopp@` and
 * `elbpost.example`, `Öz-` and `türk`. Only values across such a line end are returned.
 * @param find the function that finds values in a text
 */
export function findBroken(text: string, find: (text: string) => PiiFinding[]): PiiFinding[] {
  const parts: Part[] = [];
  const joints: { here: number; isSure: boolean }[] = [];
  let joined = '';
  const add = (from: number, to: number): void => {
    parts.push({ here: joined.length, there: from, length: to - from });
    joined += text.slice(from, to);
  };
  const join = (before: number, at: number, gap: string, behind: number): void => {
    const start = Math.max(text.lastIndexOf('\n', before - 1) + 1, before - reach);
    const next = text.indexOf('\n', behind);
    add(start, at);
    joints.push({ here: joined.length, isSure: gap === '' });
    joined += gap;
    add(behind, Math.min(next < 0 ? text.length : next, behind + reach));
    joined += between;
  };
  for (const { index, groups: { sign = '', end = '' } = {} } of text.matchAll(lineEnd)) {
    const behind = index + end.length;
    const [first, last] = [text[index - sign.length - 1] ?? '', text[behind] ?? ''];
    const isIndented = /[ \t]/.test(end);
    // The end of a sentence.
    if (sign === '.' && /\p{Lu}/u.test(last)) continue;
    if (sign !== '') join(index, index, '', behind);
    else if (isIndented && /\d/.test(first) && /\d/.test(last)) join(index, index, ' ', behind);
    // A word that is hyphenated at the end of a line.
    if (sign === '-' && /\p{Ll}/u.test(first) && /\p{Ll}/u.test(last))
      join(index, index - 1, '', behind);
  }
  if (joints.length === 0) return [];
  const original = (position: number): number => {
    const part = parts.findLast(({ here }) => here <= position)!;
    return part.there + Math.min(position - part.here, part.length);
  };
  return find(joined).flatMap((found): PiiFinding[] => {
    const joint = joints.find(({ here }) => found.start < here && found.end > here);
    if (!joint || (!joint.isSure && found.score < sure)) return [];
    // One word is hardly evidence of a name without the text around it.
    if (isProse(found) && !/\s/.test(joined.slice(found.start, found.end))) return [];
    return [{ ...found, start: original(found.start), end: original(found.end - 1) + 1 }];
  });
}
