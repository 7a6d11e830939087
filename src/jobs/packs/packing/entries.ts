import { Readable } from 'node:stream';
import type { Pack } from '../../../entities/packs/pack.ts';
import type { ZipEntry } from '../../../library/files/zip-writer.ts';
import type { JobDeps } from '../../steps/step.ts';
import { type ComparedDocument, changesSince } from './changes.ts';
import { chunkLines } from './chunks.ts';
import { named, type PackedDocument, stemOf } from './contents.ts';
import { pagesOf } from './pages.ts';
import { llmsTxt, manifest, readme } from './texts.ts';

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
  const all = packing.all.map((one) => named(pack, one));
  const included = all.filter(({ state }) => state === 'succeeded');
  const stored = (name: string, { sha256, bytes }: { sha256: string; bytes: number }): ZipEntry => {
    return { name, bytes, open: () => deps.storage.open(projectId, sha256) };
  };
  yield text('README.md', readme(pack));
  yield text('llms.txt', llmsTxt(pack, included));
  if (before) {
    const changes = changesSince(before, included);
    yield text('changes.json', `${JSON.stringify(changes, null, 1)}\n`);
  }
  if (options.include.includes('markdown')) {
    for (const one of included) yield stored(`documents/${stemOf(one)}.md`, one.outputs.markdown!);
  }
  if (options.include.includes('chunks')) {
    const open = async () => chunkLines(deps.storage, projectId, included);
    yield { name: 'chunks.jsonl', bytes: null, open };
  }
  if (options.include.includes('blocks')) {
    for (const one of included) yield stored(`blocks/${stemOf(one)}.json`, one.outputs.json!);
  }
  const drawn = new Map<number, number[]>();
  if (options.include.includes('pages')) {
    for (const one of included) yield* pagesOf(deps, packing, one, drawn);
  }
  yield text('manifest.json', manifest(pack, all, drawn));
}

function text(name: string, content: string): ZipEntry {
  const bytes = Buffer.from(content);
  return { name, bytes: bytes.length, open: async () => Readable.from([bytes]) };
}
