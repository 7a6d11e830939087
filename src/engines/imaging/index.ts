import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { StripFields } from '../../contracts/variants.ts';
import { createChildren, type RunOptions, type Task } from '../children/child.ts';
import { EngineError } from '../errors.ts';
import {
  isReading,
  isStripped,
  type Reading,
  type RenditionFiles,
  type Stripped,
} from './results.ts';

export type { MadeRendition, Reading, RenditionFiles } from './results.ts';

export type ImagingOptions = {
  /** Children that may work at once: about one a core. */
  processes: number;
  /** Resident memory of one child, in bytes, past which it is killed. */
  memoryBytes: number;
  /** Folder for scratch files. */
  tmpDir: string;
};

export type PictureFile = { path: string; mime: string };

export type Imaging = {
  /**
   * Looks at a picture and writes its renditions to those of `files` that are needed; which ones is
   * in the answer.
   */
  read(picture: PictureFile & { files: RenditionFiles }, options: RunOptions): Promise<Reading>;
  /** Writes the picture without the named metadata to `outPath`, its pixels untouched. */
  stripMetadata(
    picture: PictureFile & { fields: StripFields; outPath: string },
    options: RunOptions,
  ): Promise<Stripped>;
  /** Kills all children and removes scratch files. */
  close(): Promise<void>;
};

/** Beside this very file, in TypeScript as it is written and in JavaScript once built. */
function tasksModule(): URL {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return new URL(`./tasks.${extension}`, import.meta.url);
}

/**
 * The imaging engine: every call runs in a killable child process of its own kind, which knows other
 * loaders than the children that read documents, with a deadline, a memory cap and no secrets.
 * Throws EngineError on failure. Nothing here uses the network.
 */
export function createImaging({ processes, memoryBytes, tmpDir }: ImagingOptions): Imaging {
  const scratch = mkdtempSync(join(tmpDir, 'imaging-'));
  const children = createChildren({
    module: tasksModule(),
    processes,
    memoryBytes,
    tmpDir: scratch,
  });

  async function call<T>(
    task: Task,
    options: RunOptions,
    check: (value: unknown) => value is T,
  ): Promise<T> {
    const value = await children.run(task, options);
    // A child reads hostile pictures: what it says is checked like anything from outside.
    if (!check(value)) throw new EngineError('crashed', 'The imaging engine failed.');
    return value;
  }

  return {
    read: (input, options) =>
      call({ name: 'read', input }, options, (value): value is Reading =>
        isReading(value, input.files),
      ),
    stripMetadata: (input, options) => call({ name: 'strip', input }, options, isStripped),
    close: async () => {
      await children.close();
      await rm(scratch, { recursive: true, force: true });
    },
  };
}
