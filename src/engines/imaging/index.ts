import type { StripFields } from '../../contracts/variants.ts';
import { type CallOptions, createEngine, type EngineOptions } from '../children/engine.ts';
import {
  isReading,
  isStripped,
  type PictureReading,
  type RenditionFiles,
  type StrippedPicture,
} from './results.ts';

export type { MadeRendition, PictureReading } from './results.ts';

type PictureFile = { path: string; mime: string };

export type Imaging = {
  /** Reads a picture and writes the renditions it needs to `files`; the answer lists them. */
  read(
    picture: PictureFile & { files: RenditionFiles },
    options: CallOptions,
  ): Promise<PictureReading>;
  /** Writes the picture without the given metadata to `outPath`; its pixels do not change. */
  stripMetadata(
    picture: PictureFile & { fields: StripFields; outPath: string },
    options: CallOptions,
  ): Promise<StrippedPicture>;
  /** Kills all children and removes temporary files. */
  close(): Promise<void>;
};

/**
 * The imaging engine. Every call runs in a killable child process that serves one project, with a
 * deadline, a memory cap and no secrets. Its children are separate from those that read documents,
 * because they enable other loaders. Throws EngineError on failure. Nothing here uses the network.
 */
export function createImaging(options: EngineOptions): Imaging {
  const { call, close } = createEngine('imaging', import.meta.url, options);
  return {
    read: (input, limits) =>
      call(
        { name: 'read', input, reads: [input.path], writes: Object.values(input.files) },
        limits,
        (value): value is PictureReading => isReading(value, input.files),
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
