/** Words that end in a full stop without ending a sentence. */
const abbreviations = new Set(
  `mr mrs ms dr prof st sr jr vs etc e.g i.e eg ie cf al approx dept est fig figs no nos nr vol pp p
   art sec para ch eq ed eds rev inc ltd co corp bzw z.b d.h u.a ca usw abs bd hr fr jan feb mar apr
   jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun gen col lt capt sgt hon a.m p.m`.split(
    /\s+/,
  ),
);

const endings = /[.!?…]+["'”’»)\]]{0,3}(?=\s)|[。！？｡]+[」』”’）]{0,3}|\n/gu;

/**
 * Splits a text into sentences, each with the spaces that follow it. A full stop after an abbreviation or
 * an initial does not end one, nor does one before a lower-case letter. Linear in the text's length.
 */
export function sentencesOf(text: string): { start: number; end: number }[] {
  const out: { start: number; end: number }[] = [];
  let start = 0;
  for (const { 0: mark, index } of text.matchAll(endings)) {
    let end = index + mark.length;
    while (end < text.length && /\s/.test(text[end]!)) end += 1;
    if (end >= text.length) break;
    // `1.` at the start is a counter.
    if (mark === '.' && index - start <= 4 && /^\s*\w{1,3}$/.test(text.slice(start, index)))
      continue;
    if (mark.startsWith('.') && !endsHere(text, index, end)) continue;
    if (text.slice(start, end).trim() === '') continue;
    out.push({ start, end });
    start = end;
  }
  if (start < text.length) out.push({ start, end: text.length });
  return out;
}

function endsHere(text: string, stop: number, next: number): boolean {
  if (/\p{Ll}/u.test(text[next] ?? '')) return false;
  const word = /[\p{L}\p{N}.]*$/u.exec(text.slice(Math.max(0, stop - 12), stop))?.[0] ?? '';
  return !abbreviations.has(word.toLowerCase()) && !/^\p{Lu}$/u.test(word);
}
