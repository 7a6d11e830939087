import { writeFile } from 'node:fs/promises';
import type { OutputCounts, OutputOptions } from '../calls.ts';
import type { NormalDocument } from '../document.ts';
import { chunksOf } from './chunks.ts';
import { jsonOf } from './json.ts';
import { markdownOf } from './markdown.ts';
import { clearTokenCounts, countTextTokens, encoding } from './tokens.ts';

const minWriteLength = 64 * 1024;

/** Combines many small strings into a few large writes. */
function* joinSmall(strings: Iterable<string>): Generator<string> {
  let buffer: string[] = [];
  let length = 0;
  for (const string of strings) {
    buffer.push(string);
    length += string.length;
    if (length < minWriteLength) continue;
    yield buffer.join('');
    buffer = [];
    length = 0;
  }
  yield buffer.join('');
}

/** Counts the characters of a text without white space, in UTF-16 units. */
function countCharacters(text: string): number {
  let length = text.length;
  for (const blanks of text.match(/\s+/g) ?? []) length -= blanks.length;
  return length;
}

const writeStrings = (path: string, strings: Iterable<string>): Promise<void> =>
  writeFile(path, joinSmall(strings));

/**
 * Writes the requested forms of a document: Markdown, JSON, and chunks as JSONL. `tokens` and
 * `characters` (without white space) count the whole Markdown, even if it is not requested.
 * `chunks` is 0 if chunks are not requested.
 */
export async function writeDocument(
  document: NormalDocument,
  outputs: OutputOptions,
): Promise<OutputCounts> {
  clearTokenCounts();
  let tokens = 0;
  let characters = 0;
  const countMarkdown = function* (): Generator<string> {
    for (const text of markdownOf(document.blocks)) {
      tokens += countTextTokens(text);
      characters += countCharacters(text);
      yield text;
    }
  };
  if (outputs.markdown === null) for (const _ of countMarkdown());
  else await writeStrings(outputs.markdown, countMarkdown());
  if (outputs.json !== null) await writeStrings(outputs.json, jsonOf(document));
  let chunks = 0;
  const lines = function* (): Generator<string> {
    for (const chunk of chunksOf(document.blocks, outputs)) {
      chunks += 1;
      yield `${JSON.stringify({ ...chunk, encoding })}\n`;
    }
  };
  if (outputs.chunks !== null) await writeStrings(outputs.chunks, lines());
  return { chunks, tokens, characters, pages: document.pages.length };
}
