import { Readable } from 'node:stream';
import type { Pack } from '../../../entities/packs/pack.ts';
import type { ZipEntry } from '../../../library/files/zip-writer.ts';
import type { JobDeps } from '../../steps/step.ts';
import { type ComparedDocument, changesSince } from './changes.ts';
import { chunkLines } from './chunks.ts';
import { nameDocument, type PackedDocument, stemOf } from './contents.ts';
import { pageEntries } from './pages.ts';
import { renderLlmsTxt, renderManifest, renderReadme } from './texts.ts';

/** The input of an archive. */
export interface Packing {
  pack: Pack;
  /** All documents, in order. */
  all: readonly PackedDocument[];
  /** The documents of the refreshed pack; null without one. */
  before: readonly ComparedDocument[] | null;
  signal: AbortSignal;
}

/** The entries of an archive, each created on demand. */
export async function* entriesOf(deps: JobDeps, packing: Packing): AsyncGenerator<ZipEntry> {
  const { pack, before } = packing;
  const { projectId, options } = pack;
  const all = packing.all.map((document) => nameDocument(pack, document));
  const included = all.filter(({ state }) => state === 'succeeded');
  const storedEntry = (
    name: string,
    { sha256, bytes }: { sha256: string; bytes: number },
  ): ZipEntry => {
    return { name, bytes, open: () => deps.storage.open(projectId, sha256) };
  };
  yield textEntry('README.md', renderReadme(pack));
  yield textEntry('llms.txt', renderLlmsTxt(pack, included));
  if (before) {
    const changes = changesSince(before, included);
    yield textEntry('changes.json', `${JSON.stringify(changes, null, 1)}\n`);
  }
  if (options.include.includes('markdown')) {
    for (const document of included)
      yield storedEntry(`documents/${stemOf(document)}.md`, document.outputs.markdown!);
  }
  if (options.include.includes('chunks')) {
    const open = async () => chunkLines(deps.storage, projectId, included);
    yield { name: 'chunks.jsonl', bytes: null, open };
  }
  if (options.include.includes('blocks')) {
    for (const document of included)
      yield storedEntry(`blocks/${stemOf(document)}.json`, document.outputs.json!);
  }
  const drawnPages = new Map<number, number[]>();
  if (options.include.includes('pages')) {
    for (const document of included) yield* pageEntries(deps, packing, document, drawnPages);
  }
  yield textEntry('manifest.json', renderManifest(pack, all, drawnPages));
}

function textEntry(name: string, content: string): ZipEntry {
  const bytes = Buffer.from(content);
  return { name, bytes: bytes.length, open: async () => Readable.from([bytes]) };
}
