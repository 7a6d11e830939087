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

/** Maximum size of a file that is parsed in memory, in bytes. All formats except TIFF are. */
const maxBytes = 256 * 2 ** 20;

/**
 * The stripper of each format. All strippers keep only known parts, and do not search for private
 * ones: parts of the file that its display does not need are dropped, and EXIF is rewritten from a
 * list of harmless tags. Pixels are copied unchanged.
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
 * Writes a picture without metadata to `outPath`. `gps` removes everything that could reveal the
 * location; `all` removes everything except the orientation and the colour profile.
 * @throws EngineError if the file cannot be parsed. No output is written then.
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

/** Reads the output as any picture. It must have the same size and no location. */
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
