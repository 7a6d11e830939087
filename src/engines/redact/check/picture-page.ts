import sharp from 'sharp';
import { EngineError } from '../../errors.ts';
import { maxImagePixels } from '../../limits.ts';
import { describeImage, imageError } from '../../source.ts';
import type { Check, RedactedPage } from '../plan.ts';
import { guarded, type Reader, readDoubtful, readRegions } from './page/look.ts';
import type { Doubtful } from './page/pictures.ts';
import { tilesOf } from './page/regions.ts';
import { isSolid } from './page/solid.ts';
import { crop, type Tile } from './page/tiles.ts';
import { checkUnread, unreadDpi } from './page/unread.ts';
import type { Claim } from './report.ts';
import { count } from './verdict.ts';

const readingDpi = 300;
/** A picture is enlarged by this much at most. */
const mostEnlarged = 3;
const mostPixels = 30e6;

/** Looks at a redacted PNG, JPEG or WebP: its pixels, and what can be read in them. */
export async function checkPicturePage(
  path: string,
  mime: string,
  said: RedactedPage,
  claim: Claim,
  reader: Reader,
): Promise<Check[]> {
  const { regions, outputPage } = said;
  const { pixelWidth, pixelHeight } = await describeImage(path, 1);
  const scale = scaleOf(said, pixelWidth, pixelHeight);
  const lossy = mime !== 'image/png';
  const pictures = await guarded('pictures', outputPage, async () => {
    const planes = await readPlanes(path);
    const doubtful: Doubtful[] = [];
    for (const region of regions) {
      const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = region.box.map((value) => value * scale);
      for (const plane of planes) {
        const tile = crop(plane, [x0 + 1, y0 + 1, x1 - 1, y1 - 1]);
        if (isSolid(tile, lossy)) continue;
        // Small letters are not read well, and a label is to be told from what is no label.
        doubtful.push({ tile: await enlarged(tile, readingDpi / 72 / scale), region });
      }
    }
    return {
      wrong: await readDoubtful(doubtful, regions, claim, reader),
      looked: `1 picture, ${count(regions.length, 'region')}.`,
    };
  });
  const reading = await guarded('ocr_regions', outputPage, async () => {
    if (regions.length === 0) return { wrong: [], looked: 'No regions.' };
    const wished = Math.min(mostEnlarged, readingDpi / 72 / scale);
    const factor = Math.min(wished, Math.sqrt(mostPixels / (pixelWidth * pixelHeight)));
    const grey = await readGrey(path, Math.max(1, Math.round(pixelWidth * factor)));
    const used = grey.width / said.widthPt;
    const tiles = regions.flatMap((region) => tilesOf(grey, used, region, lossy));
    return readRegions(tiles, regions, claim, reader);
  });
  const left = await guarded('unread_text', outputPage, async () => {
    const factor = Math.min(mostEnlarged, unreadDpi / 72 / scale);
    const grey = await readGrey(path, Math.max(1, Math.round(pixelWidth * factor)));
    return checkUnread(grey, grey.width / said.widthPt, { said }, reader);
  });
  return [pictures, reading, left];
}

async function enlarged(tile: Tile, by: number): Promise<Tile> {
  const factor = Math.min(by, mostEnlarged, Math.sqrt(mostPixels / (tile.width * tile.height)));
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
 * Pixels a point. Not every kind of picture can say its resolution, so the picture that was made is
 * not asked for it: places are by the measure that the regions were given in.
 */
function scaleOf({ widthPt, heightPt }: RedactedPage, width: number, height: number): number {
  const scale = width / widthPt;
  if (!(scale > 0) || Math.abs(heightPt * scale - height) > 1) {
    throw new EngineError('damaged', 'The picture is not of the size that it is said to be.');
  }
  return scale;
}

const openPixels = (path: string) =>
  sharp(path, { limitInputPixels: maxImagePixels, failOn: 'error' });

/** Every channel of a picture, the one of transparency too. */
async function readPlanes(path: string): Promise<Tile[]> {
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

async function readGrey(path: string, wide: number): Promise<Tile> {
  const { data, info } = await openPixels(path)
    .flatten({ background: '#ffffff' })
    .resize({ width: wide })
    .toColourspace('b-w')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
    .catch((error: unknown) => {
      throw imageError(error);
    });
  const { width, height, channels } = info;
  const grey = new Uint8Array(width * height);
  for (let at = 0; at < grey.length; at += 1) grey[at] = data[at * channels] ?? 0;
  return { data: grey, width, height };
}
