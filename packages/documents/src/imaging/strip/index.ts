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
 * The stripper of each format. A stripper keeps the parts that are known to be needed for display,
 * drops all others, and rewrites EXIF from a list of harmless tags. Pixels are copied unchanged.
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
 * @throws EngineError if the file cannot be parsed or the output fails its check.
 */
export async function stripMetadata(request: StripRequest): Promise<StrippedPicture> {
  const { path, fields, outPath } = request;
  const mime = requireImage(request.mime);
  const original = await openPicture(path, mime);
  if (mime === 'image/tiff') stripTiff(path, outPath, fields);
  else {
    if ((await stat(path)).size > maxBytes) {
      throw new EngineError('too_large', 'The image is too large to remove its metadata.');
    }
    await writeFile(outPath, strippers[mime](await readFile(path), fields));
  }
  await checkOutput(outPath, mime, original);
  return { bytes: (await stat(outPath)).size };
}

/** Reads the output, which must have the same size and no location. */
async function checkOutput(
  path: string,
  mime: ImageMime,
  original: { width: number; height: number; orientation: number },
): Promise<void> {
  const output = await openPicture(path, mime);
  const isSameSize =
    output.width === original.width &&
    output.height === original.height &&
    output.orientation === original.orientation;
  const exif =
    mime === 'image/tiff'
      ? withFile(path, openExifIn)
      : output.metadata.exif && openExif(output.metadata.exif);
  const { xmp, iptc, tifftagPhotoshop } = output.metadata;
  if (isSameSize && !exif?.gps && !xmp?.includes('GPS') && !iptc && !tifftagPhotoshop) return;
  throw new EngineError('unsupported', 'The metadata of this image cannot be removed.');
}
