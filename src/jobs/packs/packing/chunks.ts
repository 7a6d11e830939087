import { createInterface } from 'node:readline';
import { compile } from '@scriptorium/contracts/helpers/validator';
import { Type } from 'typebox';
import type { Storage } from '../../../storage/storage.ts';
import { chunkId, type NamedDocument, stemOf } from './contents.ts';

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
type StoredChunk = Type.Static<typeof storedChunk>;

let isChunk: ((value: unknown) => value is StoredChunk) | undefined;

/** The chunks of a document from stored bytes, in order. */
export async function* readChunks(
  storage: Storage,
  projectId: string,
  sha256: string,
): AsyncGenerator<StoredChunk> {
  isChunk ??= compile(storedChunk);
  const input = await storage.open(projectId, sha256);
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

/**
 * The lines of `chunks.jsonl`: the chunks of all documents, with the data that a citation needs.
 */
export async function* chunkLines(
  storage: Storage,
  projectId: string,
  documents: readonly NamedDocument[],
): AsyncGenerator<Buffer> {
  for (const document of documents) {
    const { citationKey, objectId, sha256, outputs } = document;
    const chunkCount = document.chunks ?? 0;
    for await (const chunk of readChunks(storage, projectId, outputs.chunks!.sha256)) {
      const { index, text, tokens, headings, pages, boxes } = chunk;
      const line = {
        id: chunkId(citationKey, index),
        document: stemOf(document),
        object_id: objectId,
        filename: document.name,
        sha256,
        headings,
        pages,
        boxes: boxes.map(({ page, box }) => ({ page, box })),
        tokens,
        text,
        previous: index > 0 ? chunkId(citationKey, index - 1) : null,
        next: index + 1 < chunkCount ? chunkId(citationKey, index + 1) : null,
      };
      yield Buffer.from(`${JSON.stringify(line)}\n`);
    }
  }
}
