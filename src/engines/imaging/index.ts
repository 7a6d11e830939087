import type { StripFields } from '../../contracts/variants.ts';
import { type CallOptions, createEngine, type EngineOptions } from '../children/engine.ts';
import {
  isReading,
  isStripped,
  type Reading,
  type RenditionFiles,
  type Stripped,
} from './results.ts';

export type { MadeRendition, Reading, RenditionFiles } from './results.ts';

type PictureFile = { path: string; mime: string };

export type Imaging = {
  /**
   * Looks at a picture and writes its renditions to those of `files` that are needed; which ones is
   * in the answer.
   */
  read(picture: PictureFile & { files: RenditionFiles }, options: CallOptions): Promise<Reading>;
  /** Writes the picture without the named metadata to `outPath`, its pixels untouched. */
  stripMetadata(
    picture: PictureFile & { fields: StripFields; outPath: string },
    options: CallOptions,
  ): Promise<Stripped>;
  /** Kills all children and removes scratch files. */
  close(): Promise<void>;
};

/**
 * The imaging engine: every call runs in a killable child process of its own kind, which knows other
 * loaders than the children that read documents, with a deadline, a memory cap and no secrets, and that
 * serves one project. Throws EngineError on failure. Nothing here uses the network.
 */
export function createImaging(options: EngineOptions): Imaging {
  const { call, close } = createEngine('imaging', import.meta.url, options);
  return {
    read: (input, limits) =>
      call(
        { name: 'read', input, reads: [input.path], writes: Object.values(input.files) },
        limits,
        (value): value is Reading => isReading(value, input.files),
      ),
    stripMetadata: (input, limits) =>
      call(
        { name: 'strip', input, reads: [input.path], writes: [input.outPath] },
        limits,
        isStripped,
      ),
    close,
  };
}
