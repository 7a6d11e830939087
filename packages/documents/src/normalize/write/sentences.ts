import { readRows } from '../../tsv.ts';

/** Words that end in a full stop without ending a sentence. */
const abbreviations = new Set(readRows(new URL('./abbreviations.txt', import.meta.url)).flat());

const sentenceEnd = /[.!?…]+["'”’»)\]]{0,3}(?=\s)|[。！？｡]+[」』”’）]{0,3}|\n/gu;

/**
 * Splits a text into sentences, each with the white space after it. A full stop does not end a
 * sentence after an abbreviation or an initial, or before a lower-case letter. Takes linear time.
 */
export function sentencesOf(text: string): { start: number; end: number }[] {
  const out: { start: number; end: number }[] = [];
  let start = 0;
  for (const { 0: mark, index } of text.matchAll(sentenceEnd)) {
    let end = index + mark.length;
    while (end < text.length && /\s/.test(text[end]!)) end += 1;
    if (end >= text.length) break;
    // `1.` at the start of a sentence is a counter.
    if (mark === '.' && index - start <= 4 && /^\s*\w{1,3}$/.test(text.slice(start, index)))
      continue;
    if (mark.startsWith('.') && !endsSentence(text, index, end)) continue;
    if (text.slice(start, end).trim() === '') continue;
    out.push({ start, end });
    start = end;
  }
  if (start < text.length) out.push({ start, end: text.length });
  return out;
}

function endsSentence(text: string, stop: number, next: number): boolean {
  if (/\p{Ll}/u.test(text[next] ?? '')) return false;
  const word = /[\p{L}\p{N}.]*$/u.exec(text.slice(Math.max(0, stop - 12), stop))?.[0] ?? '';
  return !abbreviations.has(word.toLowerCase()) && !/^\p{Lu}$/u.test(word);
}
