import { pluralise } from '@scriptorium/contracts/pluralise';
import { EngineError } from '@scriptorium/sandbox/errors';
import sharp from 'sharp';
import { type DrawnPage, decodingDpi, searchDpi } from '../../../barcodes/index.ts';
import { channelsOf } from '../../../ink/channels.ts';
import { maxImagePixels } from '../../../limits.ts';
import { oncePer } from '../../../once.ts';
import { describeImage, imageError } from '../../../source/images.ts';
import type { RedactedPage, RedactionCheck } from '../../contract/report.ts';
import type { Claim } from '../claim.ts';
import { searchForBarcodes, toDrawnPage } from './barcodes.ts';
import { searchForFaces } from './faces.ts';
import type { DoubtfulPart } from './pictures.ts';
import { type PictureReader, readDoubtfulParts, readRegions, runCheck } from './read-regions.ts';
import { tilesOf } from './regions.ts';
import { isSolid } from './solid.ts';
import { crop, type GreyTile } from './tiles.ts';
import { searchForUnreadText, unreadDpi } from './unread-text.ts';

const readingDpi = 300;
/** Maximum factor by which a picture is enlarged. */
const maxEnlargement = 3;
const maxPixels = 30e6;

/** Checks the pixels and the readable text of a redacted PNG, JPEG or WebP. */
export async function checkPicturePage(
  path: string,
  mime: string,
  reported: RedactedPage,
  claim: Claim,
  reader: PictureReader,
): Promise<RedactionCheck[]> {
  const { regions, outputPage } = reported;
  const { pixelWidth, pixelHeight } = await describeImage(path, 1);
  const scale = scaleOf(reported, pixelWidth, pixelHeight);
  const isLossy = mime !== 'image/png';
  const readGreyAt = oncePer((width: number) => readGrey(path, width));
  const pictures = await runCheck('pictures', outputPage, async () => {
    const planes = await readPlanes(path);
    if ((await describeImage(path, 1)).metadata.hasAlpha) {
      return { faults: ['The picture has transparent parts.'], summary: '' };
    }
    const doubtful: DoubtfulPart[] = [];
    for (const region of regions) {
      const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = region.box.map((value) => value * scale);
      for (const plane of planes) {
        const tile = crop(plane, [x0 + 1, y0 + 1, x1 - 1, y1 - 1]);
        if (isSolid(tile, isLossy)) continue;
        // Small letters are often misread, but a label must be distinguished from other text.
        doubtful.push({ tile: await enlarge(tile, readingDpi / 72 / scale), region });
      }
    }
    return {
      faults: await readDoubtfulParts(doubtful, regions, claim, reader),
      summary: `1 picture, ${pluralise(regions.length, 'region')}.`,
    };
  });
  const reading = await runCheck('ocr_regions', outputPage, async () => {
    if (regions.length === 0) return { faults: [], summary: 'No regions.' };
    const maxFactor = Math.min(maxEnlargement, readingDpi / 72 / scale);
    const factor = Math.min(maxFactor, Math.sqrt(maxPixels / (pixelWidth * pixelHeight)));
    const grey = await readGreyAt(Math.max(1, Math.round(pixelWidth * factor)));
    const tileScale = grey.width / reported.widthPt;
    const tiles = regions.flatMap((region) => tilesOf(grey, tileScale, region, isLossy));
    return readRegions(tiles, regions, claim, reader);
  });
  const unread = await runCheck('unread_text', outputPage, async () => {
    const factor = Math.min(maxEnlargement, unreadDpi / 72 / scale);
    const targetWidth = Math.max(1, Math.round(pixelWidth * factor));
    const drawn = await readGreyAt(targetWidth);
    const channels = await readChannels(path, targetWidth);
    return searchForUnreadText(
      { drawn, scale: drawn.width / reported.widthPt, channels },
      { page: reported },
      reader,
    );
  });
  const drawAt = async (dpi: number): Promise<DrawnPage> => {
    const factor = Math.min(maxEnlargement, dpi / 72 / scale);
    const limited = Math.min(factor, Math.sqrt(maxPixels / (pixelWidth * pixelHeight)));
    const tile = await readGreyAt(Math.max(1, Math.round(pixelWidth * limited)));
    return toDrawnPage({ tile, scale: tile.width / reported.widthPt });
  };
  const barcodes = await runCheck('barcodes', outputPage, async () => {
    const drawn = await drawAt(searchDpi);
    return searchForBarcodes(reported, drawn, reported.seen?.sure ?? [], () => drawAt(decodingDpi));
  });
  const faces = await runCheck('faces', outputPage, async () =>
    searchForFaces(reported, await drawAt(searchDpi), reported.seen?.sure ?? []),
  );
  return [pictures, reading, unread, barcodes, faces];
}

async function enlarge(tile: GreyTile, enlargement: number): Promise<GreyTile> {
  const factor = Math.min(
    enlargement,
    maxEnlargement,
    Math.sqrt(maxPixels / (tile.width * tile.height)),
  );
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
async function readScaled(path: string, targetWidth: number, space: 'b-w' | 'srgb') {
  try {
    return await openPixels(path)
      .flatten({ background: '#ffffff' })
      .resize({ width: targetWidth })
      .toColourspace(space)
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
  } catch (error) {
    throw imageError(error);
  }
}

async function readChannels(path: string, targetWidth: number): Promise<GreyTile[]> {
  const { data, info } = await readScaled(path, targetWidth, 'srgb');
  return channelsOf(data, info);
}

async function readGrey(path: string, targetWidth: number): Promise<GreyTile> {
  const { data, info } = await readScaled(path, targetWidth, 'b-w');
  const { width, height, channels } = info;
  const grey = new Uint8Array(width * height);
  for (let at = 0; at < grey.length; at += 1) grey[at] = data[at * channels] ?? 0;
  return { data: grey, width, height };
}
