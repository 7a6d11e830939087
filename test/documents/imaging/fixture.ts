import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StripFields } from '@scriptorium/contracts/variants';
import { EngineError } from '@scriptorium/documents';
import { createImaging, type Imaging, type PictureReading } from '@scriptorium/documents/imaging';

/** An imaging engine with its own folder. */
export interface ImagingFixture {
  imaging: Imaging;
  folder: string;
  store(bytes: Uint8Array): Promise<string>;
  read(bytes: Uint8Array, mime: string): Promise<PictureReading>;
  strip(bytes: Uint8Array, mime: string, fields?: StripFields): Promise<Buffer>;
  close(): Promise<void>;
}

export async function openImagingFixture(memoryBytes = 2 ** 30): Promise<ImagingFixture> {
  const folder = await mkdtemp(join(tmpdir(), 'imaging-test-'));
  const imaging = createImaging({ processes: 1, memoryBytes, tmpDir: tmpdir() });
  const call = { deadlineMs: 600_000, isolation: 'prj_1' };
  let files = 0;
  const store = async (bytes: Uint8Array): Promise<string> => {
    const path = join(folder, `file-${++files}`);
    await writeFile(path, bytes);
    return path;
  };
  return {
    imaging,
    folder,
    store,
    async read(bytes, mime) {
      const path = await store(bytes);
      const names = ['thumb', 'w320', 'w640', 'w1280'];
      const outputs = names.flatMap((name) => [`${name}.webp`, `${name}.avif`]);
      const paths = Object.fromEntries(outputs.map((name) => [name, `${path}.${name}`]));
      return imaging.read({ path, mime, files: paths }, call);
    },
    async strip(bytes, mime, fields = 'gps') {
      const path = await store(bytes);
      await imaging.stripMetadata({ path, mime, fields, outPath: `${path}.stripped` }, call);
      return readFile(`${path}.stripped`);
    },
    async close() {
      await imaging.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Returns the error that an engine fails with. */
export async function failure(promise: Promise<unknown>): Promise<EngineError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
