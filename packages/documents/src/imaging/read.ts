import { writeFile } from 'node:fs/promises';
import type { RenditionMime, RenditionName } from '@scriptorium/contracts/wire/library/images';
import { encode } from 'blurhash';
import sharp, { type OutputInfo, type Sharp } from 'sharp';
import type { ReadRequest } from './calls.ts';
import { paletteOf } from './colours.ts';
import { openExif, openExifIn } from './exif.ts';
import { readCamera, readLocation } from './exif-metadata.ts';
import { openIptc } from './iptc.ts';
import { type MetadataSources, mergeMetadata } from './merge-metadata.ts';
import { type OpenPicture, openPicture, pictureError } from './open.ts';
import type { PictureReading, RenditionFiles, WrittenRendition } from './results.ts';
import { withFile } from './tiff.ts';
import { openXmp } from './xmp.ts';

/**
 * Maximum width of each rendition, in pixels. Renditions are never wider than the picture. `thumb`
 * is for dense lists and small tiles, `w320` for grid tiles on high-resolution displays.
 */
const widths: Readonly<Record<RenditionName, number>> = {
  thumb: 160,
  w320: 320,
  w640: 640,
  w1280: 1280,
};
const renditionNames: readonly RenditionName[] = ['thumb', 'w320', 'w640', 'w1280'];
/** Maximum height of each rendition as a multiple of its width. Tall pictures become narrower. */
const heightsPerWidth: Readonly<Record<RenditionName, number>> = {
  thumb: 1,
  w320: 4,
  w640: 4,
  w1280: 4,
};

/**
 * Both formats of every rendition. The efforts were measured on photographs. WebP at effort 2 takes
 * half the time of effort 4, for 5% more bytes. AVIF at effort 1 takes as long as WebP and saves a
 * quarter to a third of its bytes. The default effort 4 takes thirty times as long.
 */
const encoders: Readonly<Record<RenditionMime, (image: Sharp) => Sharp>> = {
  'image/webp': (image) => image.webp({ quality: 76, effort: 2 }),
  'image/avif': (image) => image.avif({ quality: 52, effort: 1, chromaSubsampling: '4:2:0' }),
};
const renditionMimes: readonly RenditionMime[] = ['image/webp', 'image/avif'];

interface Pixels {
  data: Buffer;
  info: Pick<OutputInfo, 'width' | 'height' | 'channels'>;
}

/**
 * Reads the size as displayed, the EXIF and the colours of a picture, and writes its renditions to
 * `files`: upright, in sRGB, without metadata. Renditions of the same size share a file.
 * @throws EngineError if the picture cannot be read.
 */
export async function readPicture({ path, mime, files }: ReadRequest): Promise<PictureReading> {
  const picture = await openPicture(path, mime);
  const isTurned = picture.orientation >= 5;
  const width = isTurned ? picture.height : picture.width;
  const height = isTurned ? picture.width : picture.height;
  try {
    const base = await decodeBase(picture);
    const palette = paletteOf(await colourPixels(base));
    return {
      width,
      height,
      orientation: width > height ? 'landscape' : width < height ? 'portrait' : 'square',
      ...readMetadata(path, mime, picture),
      palette,
      blurhash: await blurhashOf(base),
      renditions: await makeRenditions(base, files),
    };
  } catch (error) {
    throw pictureError(error);
  }
}

/**
 * Returns the upright picture in sRGB, at most as large as its largest rendition. All renditions
 * are made from these pixels.
 */
function decodeBase({ decode, width, height }: OpenPicture): Promise<Pixels> {
  // A vector drawing is rendered at the required size and not scaled afterwards.
  const density = Math.max(1, Math.min(72, (72 * widths.w1280) / Math.max(width, height)));
  return decode(density)
    .autoOrient()
    .resize({ ...boxOf('w1280'), fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
}

function boxOf(name: RenditionName): { width: number; height: number } {
  return { width: widths[name], height: widths[name] * heightsPerWidth[name] };
}

function imageOf({ data, info }: Pixels): Sharp {
  const { width, height } = info;
  return sharp(data, { raw: { width, height, channels: info.channels } });
}

/**
 * Samples RGB pixels over white without averaging, because averages are colours that are not in the
 * picture.
 */
function colourPixels(base: Pixels): Promise<Buffer> {
  return imageOf(base)
    .flatten({ background: '#ffffff' })
    .resize({ width: 96, height: 96, fit: 'inside', kernel: 'nearest', withoutEnlargement: true })
    .raw()
    .toBuffer();
}

async function blurhashOf(base: Pixels): Promise<string> {
  const { data, info } = await imageOf(base)
    .flatten({ background: '#ffffff' })
    .resize({ width: 32, height: 32, fit: 'inside', withoutEnlargement: true })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const [xComponents, yComponents] = info.width >= info.height ? [4, 3] : [3, 4];
  return encode(new Uint8ClampedArray(data), info.width, info.height, xComponents, yComponents);
}

async function makeRenditions(base: Pixels, files: RenditionFiles): Promise<WrittenRendition[]> {
  const renditions: WrittenRendition[] = [];
  let unscaled: WrittenRendition[] | undefined;
  for (const name of renditionNames) {
    const box = boxOf(name);
    const fits = base.info.width <= box.width && base.info.height <= box.height;
    if (fits && unscaled) {
      renditions.push(...unscaled.map((rendition) => ({ ...rendition, name })));
      continue;
    }
    const make = async (mime: RenditionMime): Promise<WrittenRendition[]> => {
      const path = files[`${name}.${mime.slice('image/'.length)}`];
      if (path === undefined) return [];
      const resized = fits ? imageOf(base) : imageOf(base).resize({ ...box, fit: 'inside' });
      const { data, info } = await encoders[mime](resized).toBuffer({ resolveWithObject: true });
      await writeFile(path, data);
      return [{ name, mime, path, width: info.width, height: info.height }];
    };
    // Encoders are single-threaded. Both run at once, so the result is ready sooner if a core is
    // free.
    const formats = (await Promise.all(renditionMimes.map(make))).flat();
    if (fits) unscaled = formats;
    renditions.push(...formats);
  }
  return renditions;
}

/** Encodes a generated picture once in each format. */
export async function warmUpRenditions(): Promise<void> {
  const side = 64;
  const info = { width: side, height: side, channels: 3 } as const;
  const base: Pixels = { data: Buffer.alloc(3 * side * side, 128), info };
  await Promise.all([colourPixels(base), blurhashOf(base)]);
  for (const mime of renditionMimes) await encoders[mime](imageOf(base)).toBuffer();
}

/**
 * Reads EXIF, IPTC and XMP. TIFF stores EXIF in its own directories; for other formats, the loader
 * returns EXIF.
 */
function readMetadata(path: string, mime: string, { metadata }: OpenPicture) {
  const { exif, iptc, xmp } = metadata;
  const otherSources = { iptc: iptc ? openIptc(iptc) : null, xmp: xmp ? openXmp(xmp) : null };
  if (mime === 'image/tiff') {
    return withFile(path, (source) => metadataOf({ exif: openExifIn(source), ...otherSources }));
  }
  return metadataOf({ exif: exif ? openExif(exif) : null, ...otherSources });
}

function metadataOf(sources: MetadataSources) {
  const { exif } = sources;
  return {
    ...mergeMetadata(sources),
    camera: exif && readCamera(exif),
    location: exif && readLocation(exif),
  };
}
