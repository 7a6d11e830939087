/** A part of a text that is sent in one request. */
export interface TextChunk {
  start: number;
  text: string;
}

/** The maximum length of a text in one request, in UTF-16 units. */
const maxLength = 20_000;
/** How far a chunk repeats the end of the previous one, so that no value is cut in both. */
const overlap = 300;

/** Cuts a text into chunks that overlap, where possible at white space. */
export function chunksOf(text: string): TextChunk[] {
  const chunks: TextChunk[] = [];
  for (let start = 0; ; ) {
    const end = cutBefore(text, start, start + maxLength);
    chunks.push({ start, text: text.slice(start, end) });
    if (end === text.length) return chunks;
    start = cutBefore(text, start, end - overlap);
  }
}

/** The last position up to `limit` after white space, or a position that cuts no character. */
function cutBefore(text: string, start: number, limit: number): number {
  if (limit >= text.length) return text.length;
  for (let at = limit; at > limit - overlap; at -= 1) {
    if (/\s/.test(text[at - 1]!)) return at;
  }
  const cutsPair = /[\udc00-\udfff]/.test(text[limit]!) && limit - 1 > start;
  return cutsPair ? limit - 1 : limit;
}
