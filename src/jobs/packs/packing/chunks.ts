import type { Storage } from '../../../storage/storage.ts';
import { parseChunks, type StoredChunk } from '../../chunks.ts';
import { chunkId, type NamedDocument, stemOf } from './contents.ts';

/** The chunks of a document from stored bytes, in order. */
export async function* readChunks(
  storage: Storage,
  projectId: string,
  sha256: string,
): AsyncGenerator<StoredChunk> {
  yield* parseChunks(await storage.open(projectId, sha256));
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
