import { readFile, stat, writeFile } from 'node:fs/promises';
import type { StripFields } from '../../../contracts/variants.ts';
import { EngineError } from '../../errors.ts';
import { openExif, openExifIn } from '../exif.ts';
import { type ImageMime, openPicture, requireImage } from '../open.ts';
import type { Stripped } from '../results.ts';
import { withFile } from '../tiff.ts';
import { stripAvif } from './avif.ts';
import { stripGif } from './gif.ts';
import { stripJpeg } from './jpeg.ts';
import { stripPng } from './png.ts';
import { stripSvg } from './svg.ts';
import { stripTiff } from './tiff.ts';
import { stripWebp } from './webp.ts';

export interface StripRequest {
  path: string;
  mime: string;
  fields: StripFields;
  outPath: string;
}

/** Most bytes of a file that is taken apart in memory, which is all but TIFF. */
const maxBytes = 256 * 2 ** 20;

/**
 * How each format loses its metadata. All work by what is kept, never by what is known to be
 * private: parts of the file that are not needed to show it are left out, and EXIF is written anew
 * from a list of harmless tags. Pixels are copied as they are.
 */
const strippers: Readonly<
  Record<Exclude<ImageMime, 'image/tiff'>, (bytes: Buffer, fields: StripFields) => Buffer>
> = {
  'image/jpeg': stripJpeg,
  'image/png': stripPng,
  'image/webp': stripWebp,
  'image/gif': stripGif,
  'image/avif': stripAvif,
  'image/svg+xml': stripSvg,
};

/**
 * Writes a picture without the named metadata to `outPath`: of `gps`, all that could say where it
 * was taken; of `all`, all but how it is turned and its colour profile. Throws EngineError: a file
 * that cannot be taken apart is not written at all.
 */
export async function stripMetadata(request: StripRequest): Promise<Stripped> {
  const { path, fields, outPath } = request;
  const mime = requireImage(request.mime);
  const before = await openPicture(path, mime);
  if (mime === 'image/tiff') stripTiff(path, outPath, fields);
  else {
    if ((await stat(path)).size > maxBytes) {
      throw new EngineError(
        'too_large',
        'The image is too large for its metadata to be taken out.',
      );
    }
    await writeFile(outPath, strippers[mime](await readFile(path), fields));
  }
  await check(outPath, mime, before);
  return { bytes: (await stat(outPath)).size };
}

/** Looks at what was written as a stranger would: the same picture, and no place in it. */
async function check(
  path: string,
  mime: ImageMime,
  before: { width: number; height: number; orientation: number },
): Promise<void> {
  const after = await openPicture(path, mime);
  const same =
    after.width === before.width &&
    after.height === before.height &&
    after.orientation === before.orientation;
  const exif =
    mime === 'image/tiff'
      ? withFile(path, openExifIn)
      : after.metadata.exif && openExif(after.metadata.exif);
  const { xmp, iptc, tifftagPhotoshop } = after.metadata;
  if (same && !exif?.gps && !xmp?.includes('GPS') && !iptc && !tifftagPhotoshop) return;
  throw new EngineError('unsupported', 'The metadata of this image cannot be taken out.');
}
