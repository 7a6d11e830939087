import { readFile, stat, writeFile } from 'node:fs/promises';
import type { StripFields } from '@scriptorium/contracts/variants';
import { EngineError } from '@scriptorium/sandbox/errors';
import type { StrippedPicture, StripRequest } from '../calls.ts';
import { openExif, openExifIn } from '../exif.ts';
import { type ImageMime, openPicture, requireImage } from '../open.ts';
import { withFile } from '../tiff.ts';
import { stripAvif } from './avif.ts';
import { stripGif } from './gif.ts';
import { stripJpeg } from './jpeg.ts';
import { stripPng } from './png.ts';
import { stripSvg } from './svg.ts';
import { stripTiff } from './tiff.ts';
import { stripWebp } from './webp.ts';

/** Maximum size of a file that is parsed in memory, which is every format but TIFF. */
const maxBytes = 256 * 2 ** 20;

/**
 * How metadata is removed from each format. All strippers work by what is kept, never by what is
 * known to be private: parts of the file that are not needed to display it are dropped, and EXIF is
 * rewritten from a list of harmless tags. Pixels are copied unchanged.
 */
const strippers: Readonly<
  Record<Exclude<ImageMime, 'image/tiff'>, (bytes: Buffer, fields: StripFields) => Buffer>
> = {
  'image/jpeg': stripJpeg,
  'image/png': stripPng,
  'image/webp': stripWebp,
  'image/gif': stripGif,
  'image/avif': stripAvif,
  'image/heic': stripAvif,
  'image/svg+xml': stripSvg,
};

/**
 * Writes a picture without metadata to `outPath`: `gps` removes everything that could reveal where
 * it was taken; `all` everything but its orientation and colour profile. Throws EngineError: if a
 * file cannot be parsed, nothing is written.
 */
export async function stripMetadata(request: StripRequest): Promise<StrippedPicture> {
  const { path, fields, outPath } = request;
  const mime = requireImage(request.mime);
  const before = await openPicture(path, mime);
  if (mime === 'image/tiff') stripTiff(path, outPath, fields);
  else {
    if ((await stat(path)).size > maxBytes) {
      throw new EngineError('too_large', 'The image is too large to remove its metadata.');
    }
    await writeFile(outPath, strippers[mime](await readFile(path), fields));
  }
  await check(outPath, mime, before);
  return { bytes: (await stat(outPath)).size };
}

/** Reads the output like any picture: it must show the same, without a location. */
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
  throw new EngineError('unsupported', 'The metadata of this image cannot be removed.');
}
