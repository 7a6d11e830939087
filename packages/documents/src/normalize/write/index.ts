import { writeFile } from 'node:fs/promises';
import type { Write, Written } from '../calls.ts';
import type { NormalDocument } from '../document.ts';
import { chunksOf } from './chunks.ts';
import { jsonOf } from './json.ts';
import { markdownOf } from './markdown.ts';
import { count, encoding, forgetCounts } from './tokens.ts';

const pieceLength = 64 * 1024;

/** Combines many small strings into a few large writes. */
function* gathered(strings: Iterable<string>): Generator<string> {
  let held: string[] = [];
  let length = 0;
  for (const string of strings) {
    held.push(string);
    length += string.length;
    if (length < pieceLength) continue;
    yield held.join('');
    held = [];
    length = 0;
  }
  yield held.join('');
}

/** Counts the characters of a text without white space, in UTF-16 units. */
function lettersIn(text: string): number {
  let length = text.length;
  for (const blanks of text.match(/\s+/g) ?? []) length -= blanks.length;
  return length;
}

const write = (path: string, strings: Iterable<string>): Promise<void> =>
  writeFile(path, gathered(strings));

/**
 * Writes the requested forms of a document: Markdown, JSON, and chunks as JSONL. `tokens` and
 * `characters` (without white space) count the whole Markdown, even if it is not requested.
 * `chunks` is 0 if chunks are not requested.
 */
export async function writeDocument(document: NormalDocument, to: Write): Promise<Written> {
  forgetCounts();
  let tokens = 0;
  let characters = 0;
  const counted = function* (): Generator<string> {
    for (const text of markdownOf(document.blocks)) {
      tokens += count(text);
      characters += lettersIn(text);
      yield text;
    }
  };
  if (to.markdown === null) for (const _ of counted());
  else await write(to.markdown, counted());
  if (to.json !== null) await write(to.json, jsonOf(document));
  let chunks = 0;
  const lines = function* (): Generator<string> {
    for (const chunk of chunksOf(document.blocks, to)) {
      chunks += 1;
      yield `${JSON.stringify({ ...chunk, encoding })}\n`;
    }
  };
  if (to.chunks !== null) await write(to.chunks, lines());
  return { chunks, tokens, characters, pages: document.pages.length };
}
