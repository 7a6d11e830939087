import { pluralise } from '@scriptorium/contracts/pluralise';
import { EngineError } from '@scriptorium/sandbox/errors';
import sharp from 'sharp';
import { channelsOf } from '../../../ink/channels.ts';
import { maxImagePixels } from '../../../limits.ts';
import { describeImage, imageError } from '../../../source/images.ts';
import type { RedactedPage, RedactionCheck } from '../../contract/report.ts';
import type { Claim } from '../claim.ts';
import { guarded, type PictureReader, readDoubtful, readRegions } from './look.ts';
import type { Doubtful } from './pictures.ts';
import { tilesOf } from './regions.ts';
import { isSolid } from './solid.ts';
import { crop, type GreyTile } from './tiles.ts';
import { checkUnread, unreadDpi } from './unread.ts';

const readingDpi = 300;
/** Maximum factor by which a picture is enlarged. */
const maxEnlarged = 3;
const maxPixels = 30e6;

/** Checks the pixels and the readable text of a redacted PNG, JPEG or WebP. */
export async function checkPicturePage(
  path: string,
  mime: string,
  said: RedactedPage,
  claim: Claim,
  reader: PictureReader,
): Promise<RedactionCheck[]> {
  const { regions, outputPage } = said;
  const { pixelWidth, pixelHeight } = await describeImage(path, 1);
  const scale = scaleOf(said, pixelWidth, pixelHeight);
  const lossy = mime !== 'image/png';
  const pictures = await guarded('pictures', outputPage, async () => {
    const planes = await readPlanes(path);
    if ((await describeImage(path, 1)).metadata.hasAlpha) {
      return { wrong: ['The picture has transparent parts.'], looked: '' };
    }
    const doubtful: Doubtful[] = [];
    for (const region of regions) {
      const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = region.box.map((value) => value * scale);
      for (const plane of planes) {
        const tile = crop(plane, [x0 + 1, y0 + 1, x1 - 1, y1 - 1]);
        if (isSolid(tile, lossy)) continue;
        // Small letters are often misread, but a label must be distinguished from other text.
        doubtful.push({ tile: await enlarged(tile, readingDpi / 72 / scale), region });
      }
    }
    return {
      wrong: await readDoubtful(doubtful, regions, claim, reader),
      looked: `1 picture, ${pluralise(regions.length, 'region')}.`,
    };
  });
  const reading = await guarded('ocr_regions', outputPage, async () => {
    if (regions.length === 0) return { wrong: [], looked: 'No regions.' };
    const wished = Math.min(maxEnlarged, readingDpi / 72 / scale);
    const factor = Math.min(wished, Math.sqrt(maxPixels / (pixelWidth * pixelHeight)));
    const grey = await readGrey(path, Math.max(1, Math.round(pixelWidth * factor)));
    const used = grey.width / said.widthPt;
    const tiles = regions.flatMap((region) => tilesOf(grey, used, region, lossy));
    return readRegions(tiles, regions, claim, reader);
  });
  const left = await guarded('unread_text', outputPage, async () => {
    const factor = Math.min(maxEnlarged, unreadDpi / 72 / scale);
    const wide = Math.max(1, Math.round(pixelWidth * factor));
    const drawn = await readGrey(path, wide);
    const channels = await readChannels(path, wide);
    return checkUnread({ drawn, scale: drawn.width / said.widthPt, channels }, { said }, reader);
  });
  return [pictures, reading, left];
}

async function enlarged(tile: GreyTile, by: number): Promise<GreyTile> {
  const factor = Math.min(by, maxEnlarged, Math.sqrt(maxPixels / (tile.width * tile.height)));
  if (factor <= 1) return tile;
  const { width, height } = tile;
  const { data, info } = await sharp(tile.data, { raw: { width, height, channels: 1 } })
    .resize(Math.round(width * factor), Math.round(height * factor), { fit: 'fill' })
    .toColourspace('b-w')
    .extractChannel(0)
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/**
 * Returns the scale of a picture, in pixels per point. It is computed from the size in points that
 * the regions use, because not every picture format stores its resolution.
 */
function scaleOf({ widthPt, heightPt }: RedactedPage, width: number, height: number): number {
  const scale = width / widthPt;
  if (!(scale > 0) || Math.abs(heightPt * scale - height) > 1) {
    throw new EngineError('damaged', 'The picture does not have the reported size.');
  }
  return scale;
}

const openPixels = (path: string) =>
  sharp(path, { limitInputPixels: maxImagePixels, failOn: 'error' });

/** Reads all channels of a picture, including transparency. */
async function readPlanes(path: string): Promise<GreyTile[]> {
  const { data, info } = await openPixels(path)
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
    .catch((error: unknown) => {
      throw imageError(error);
    });
  const { width, height, channels } = info;
  return Array.from({ length: channels }, (_, channel) => {
    const plane = new Uint8Array(width * height);
    for (let at = 0; at < plane.length; at += 1) plane[at] = data[at * channels + channel] ?? 0;
    return { data: plane, width, height };
  });
}

/** Returns the pixels of a picture on a white background, scaled to a width. */
async function readScaled(path: string, wide: number, space: 'b-w' | 'srgb') {
  try {
    return await openPixels(path)
      .flatten({ background: '#ffffff' })
      .resize({ width: wide })
      .toColourspace(space)
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
  } catch (error) {
    throw imageError(error);
  }
}

async function readChannels(path: string, wide: number): Promise<GreyTile[]> {
  const { data, info } = await readScaled(path, wide, 'srgb');
  return channelsOf(data, info);
}

async function readGrey(path: string, wide: number): Promise<GreyTile> {
  const { data, info } = await readScaled(path, wide, 'b-w');
  const { width, height, channels } = info;
  const grey = new Uint8Array(width * height);
  for (let at = 0; at < grey.length; at += 1) grey[at] = data[at * channels] ?? 0;
  return { data: grey, width, height };
}
