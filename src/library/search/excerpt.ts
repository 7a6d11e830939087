import {
  foldWord,
  type Part,
  type SearchPhrase,
  splitByMatches,
} from '../images/search/highlight.ts';

/** The characters of an excerpt after its first match, and before it. */
const lengthAfter = 160;
const lengthBefore = 50;

/** The passage of a text with the most different words of a query. */
export interface Excerpt {
  parts: Part[];
  /** How many different words of the query it contains. */
  matches: number;
}

/** Finds the passage of a text with the most different words of a query; null if it has none. */
export function excerptOf(text: string | null, phrases: readonly SearchPhrase[]): Excerpt | null {
  const parts = splitByMatches((text ?? '').replace(/\s+/g, ' ').trim(), phrases);
  const starts: number[] = [];
  let length = 0;
  for (const part of parts) {
    starts.push(length);
    length += part.text.length;
  }
  let best: { first: number; matches: number } | null = null;
  for (const [first, part] of parts.entries()) {
    if (!part.match) continue;
    const words = new Set<string>();
    for (let at = first; at < parts.length && starts[at]! - starts[first]! < lengthAfter; at += 1) {
      if (parts[at]!.match) words.add(foldWord(parts[at]!.text));
    }
    if (!best || words.size > best.matches) best = { first, matches: words.size };
  }
  return best && { parts: cut(parts, starts, best.first), matches: best.matches };
}

/** The parts around a match, cut between words, with dots where text was left out. */
function cut(parts: readonly Part[], starts: readonly number[], first: number): Part[] {
  const lead = cutStart(parts[first - 1]?.text ?? '', first > 1);
  const found: Part[] = lead === '' ? [] : [{ text: lead, match: false }];
  const end = starts[first]! + lengthAfter;
  for (let at = first; at < parts.length; at += 1) {
    const { text, match } = parts[at]!;
    if (starts[at]! >= end) {
      found.push({ text: '…', match: false });
      break;
    }
    const room = end - starts[at]!;
    if (match || text.length <= room) found.push({ text, match });
    else {
      const cutText = text.slice(0, room);
      const lastSpace = cutText.lastIndexOf(' ');
      found.push({
        text: `${lastSpace < 0 ? cutText : cutText.slice(0, lastSpace)}…`,
        match: false,
      });
      break;
    }
  }
  return found;
}

/** The end of the text before a match, with dots if text before it was left out. */
function cutStart(text: string, isCut: boolean): string {
  if (text.length > lengthBefore) return `…${text.slice(-lengthBefore).replace(/^\S*\s+/, '')}`;
  return isCut ? `…${text.trimStart()}` : text;
}
