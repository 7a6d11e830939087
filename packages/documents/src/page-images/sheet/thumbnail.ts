import { readFile, stat } from 'node:fs/promises';
import type { SourceKind } from '@scriptorium/contracts/documents/sources';
import sharp from 'sharp';
import { relationshipsIn } from '../../files/opc.ts';
import { readZip } from '../../files/zip.ts';
import type { Raster } from '../../pdf/bitmaps.ts';

/** Maximum size of a file, in bytes. Larger files are drawn from their text. */
const maxFileSize = 100 * 2 ** 20;
const maxThumbnailSize = 4 * 2 ** 20;
/**
 * Maximum number of pixels, far more than programs write: LibreOffice and PowerPoint write 256
 * pixels.
 */
const maxPixels = 4_000_000;
const minSide = 64;
/**
 * Maximum factor by which a thumbnail is enlarged. Wider pictures are drawn from the text, which is
 * sharper.
 */
const maxEnlargement = 2.5;
/** Maximum standard deviation of the grey levels of an empty slide, as found in templates. */
const emptyDeviation = 2;

/**
 * Reads the thumbnail of a presentation or workbook, scaled to a width. Programs write it when they
 * save. It shows the design, which the drawn sheets do not, but may be out of date. Null if the
 * thumbnail is missing, empty, damaged, too small, or neither PNG nor JPEG. Like any picture, it is
 * untrusted: it is opened only by sharp's loaders for these two formats, within limits.
 * @throws EngineError if the file is not a readable archive.
 */
export async function readThumbnail(
  path: string,
  kind: SourceKind,
  width: number,
): Promise<Raster | null> {
  if ((await stat(path)).size > maxFileSize) return null;
  const bytes = thumbnailIn(await readFile(path), kind);
  if (!bytes || bytes.length > maxThumbnailSize || !isPngOrJpeg(bytes)) return null;
  try {
    const open = () => sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error' });
    const metadata = await open().metadata();
    const ratio = metadata.height / metadata.width;
    const isUsable =
      Math.min(metadata.width, metadata.height) >= minSide && ratio > 0.3 && ratio < 2;
    if (!isUsable || width > metadata.width * maxEnlargement) return null;
    const { data, info } = await open()
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .removeAlpha()
      .resize(width, Math.max(1, Math.round(width * ratio)), { fit: 'fill' })
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    if (info.channels !== 3 || deviationOf(data) < emptyDeviation) return null;
    return { data, width: info.width, height: info.height, channels: 3 };
  } catch {
    // On any error, the page is drawn instead.
    return null;
  }
}

function thumbnailIn(file: Uint8Array, kind: SourceKind): Uint8Array | undefined {
  if (kind === 'odp' || kind === 'ods') {
    const name = 'Thumbnails/thumbnail.png';
    return readZip(file, (one) => one === name).get(name);
  }
  // A relationship names the thumbnail. Only pictures are read for it.
  const parts = readZip(
    file,
    (one) => one === '_rels/.rels' || (/\.(?:jpe?g|png)$/i.test(one) && /^docProps\//i.test(one)),
  );
  const relation = relationshipsIn(parts, '').find(
    (one) => one.kind === 'thumbnail' && !one.external,
  );
  return relation && parts.get(relation.target);
}

function isPngOrJpeg(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, 4)).toString('latin1');
  return head === '\x89PNG' || head.startsWith('\xff\xd8\xff');
}

/** Returns the standard deviation of the pixels. */
function deviationOf(pixels: Uint8Array): number {
  let sum = 0;
  let squares = 0;
  for (const value of pixels) {
    sum += value;
    squares += value * value;
  }
  const mean = sum / pixels.length;
  return Math.sqrt(Math.max(0, squares / pixels.length - mean * mean));
}
