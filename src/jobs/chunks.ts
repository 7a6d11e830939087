import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { compile } from '@scriptorium/contracts/helpers/validator';
import { Type } from 'typebox';

/** A line of a document's chunks, as `normalize_for_llm` writes it. */
const storedChunk = Type.Object({
  index: Type.Integer({ minimum: 0 }),
  text: Type.String(),
  tokens: Type.Integer({ minimum: 0 }),
  headings: Type.Array(Type.String()),
  pages: Type.Array(Type.Integer(), { minItems: 2, maxItems: 2 }),
  boxes: Type.Array(
    Type.Object({
      page: Type.Integer({ minimum: 1 }),
      box: Type.Array(Type.Number(), { minItems: 4, maxItems: 4 }),
    }),
  ),
});
export type StoredChunk = Type.Static<typeof storedChunk>;

let isChunk: ((value: unknown) => value is StoredChunk) | undefined;

/** The chunks in a file, in order. The file is closed when the caller stops. */
export async function* parseChunks(input: Readable): AsyncGenerator<StoredChunk> {
  isChunk ??= compile(storedChunk);
  try {
    for await (const line of createInterface({ input, crlfDelay: Infinity })) {
      if (line === '') continue;
      const chunk: unknown = JSON.parse(line);
      if (!isChunk(chunk)) throw new Error('A stored chunk is invalid.');
      yield chunk;
    }
  } finally {
    // A reader stops once it has found its chunk; readline would leave the file open.
    input.destroy();
  }
}
