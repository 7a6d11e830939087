import { writeFile } from 'node:fs/promises';
import type { SourceMime } from '@scriptorium/contracts/documents/sources';
import { EngineError } from '@scriptorium/sandbox/errors';
import sharp from 'sharp';
import { displaySize } from '../../../geometry.ts';
import { maxImagePixels } from '../../../limits.ts';
import type { Box } from '../../../results.ts';
import { describeImage, imageError, openImage } from '../../../source/images.ts';
import { chooseBackground } from '../../../transparency.ts';
import type { PlannedPage } from '../../contract/plan.ts';
import type { RedactedPage } from '../../contract/report.ts';
import type {
  BoxExtent,
  LaidOutPage,
  LayOutRequest,
  RedactPagesRequest,
} from '../../contract/requests.ts';
import { drawLabels } from '../pdf/burned/labels.ts';
import { paintedRegion } from '../pdf/index.ts';
import { alignToBlocks } from '../pdf/pictures/jpeg.ts';
import type { Rect } from '../pdf/pictures/samples.ts';
import { type GreyPage, inkScale } from '../pdf/regions/box-around-ink.ts';
import { layOutRegions, type PaintRegion, paintedAreas } from '../pdf/regions/regions.ts';
import { encodePicture, type PictureEncoding, readEncoding } from './encoding.ts';

/**
 * Redacts a PNG, JPEG or WebP. Paints over pixels and writes a picture of the same format, upright,
 * with its colour profile and resolution and no other metadata. Transparent parts become opaque,
 * because the pixels that they hide would be visible without transparency.
 * @throws EngineError if the picture cannot be redacted
 */
export async function redactPicture(
  { path, outPath, style, box }: Pick<RedactPagesRequest, 'path' | 'outPath' | 'style' | 'box'>,
  mime: SourceMime,
  plan: PlannedPage,
): Promise<RedactedPage> {
  if (plan.state === 'failed') {
    throw new EngineError('damaged', 'The picture could not be redacted.');
  }
  const facts = await describeImage(path, 1);
  const size = { width: facts.widthPt, height: facts.heightPt };
  let output: { bytes: Buffer; regions: PaintRegion[] };
  try {
    const regions = await layOutImageRegions(path, size, plan, box);
    const encoding = await readEncoding(path, mime, facts);
    const { data, info } = await sharp(path, {
      limitInputPixels: maxImagePixels,
      failOn: 'error',
      ignoreIcc: encoding.profile !== undefined,
    })
      .autoOrient()
      .flatten({ background: (await chooseBackground(path, 1)) ?? '#ffffff' })
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    const { width, height, channels } = info;
    const rects = regions.flatMap((region) => rectsFor(region, encoding, size, info));
    for (const rect of rects) {
      for (let y = rect.y0; y < rect.y1; y += 1) {
        const row = y * width;
        for (let at = row + rect.x0; at < row + rect.x1; at += 1) {
          data.fill(0, at * channels, (at + 1) * channels);
        }
      }
    }
    if (style === 'label' && regions.length > 0) {
      const labels = await drawLabels(regions, size, { width, height });
      for (const region of regions) {
        const rect = toPixels(region.box, size, info);
        for (let y = rect.y0; y < rect.y1; y += 1) {
          for (let x = rect.x0; x < rect.x1; x += 1) {
            const tone = labels[y * width + x] ?? 0;
            const at = (y * width + x) * channels;
            if (tone > 0) data.fill(tone, at, at + channels);
          }
        }
      }
    }
    const bytes = await encodePicture(data, { width, height, channels }, encoding);
    output = { bytes, regions };
  } catch (error) {
    throw imageError(error);
  }
  // A full disk is not a fault of the picture.
  await writeFile(outPath, output.bytes);
  return reportOf(plan.page, size, output.regions);
}

/**
 * Computes where boxes would be painted on a picture.
 * @throws EngineError if the picture cannot be read
 */
export async function layOutPicture(
  { path, box }: Pick<LayOutRequest, 'path' | 'box'>,
  plan: PlannedPage,
): Promise<LaidOutPage> {
  if (plan.state === 'failed') return { page: plan.page, regions: [] };
  const { widthPt: width, heightPt: height } = await describeImage(path, 1);
  try {
    const regions = await layOutImageRegions(path, { width, height }, plan, box);
    return { page: plan.page, regions: regions.map(paintedRegion) };
  } catch (error) {
    throw imageError(error);
  }
}

/** Lays out the boxes of a picture. */
async function layOutImageRegions(
  path: string,
  size: { width: number; height: number },
  plan: Extract<PlannedPage, { state: 'planned' }>,
  box: BoxExtent | undefined,
): Promise<PaintRegion[]> {
  const ink = async (): Promise<GreyPage> => {
    const [width, height] = [size.width, size.height].map((side) =>
      Math.max(1, Math.round(side * inkScale)),
    ) as [number, number];
    const { data } = await openImage(path, 1)
      .autoOrient()
      .flatten({ background: (await chooseBackground(path, 1)) ?? '#ffffff' })
      .toColourspace('b-w')
      .resize(width, height, { fit: 'fill' })
      .extractChannel(0)
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    return { data, width, height, scale: inkScale };
  };
  const frame = { left: 0, bottom: 0, ...size, rotation: 0 };
  const survey = { frame, glyphs: [], obstacles: [] };
  return layOutRegions(survey, displaySize(frame), plan, ink, box);
}

/** Returns the rectangles to paint for a region. */
function rectsFor(
  region: PaintRegion,
  { mime, blockSize }: PictureEncoding,
  size: { width: number; height: number },
  pixels: { width: number; height: number },
): Rect[] {
  const axis = region.direction % 180 === 0 ? 'x' : 'y';
  // Boxes end where adjacent content begins, except in WebP, whose blocks depend on adjacent
  // blocks.
  const adjacentAxis: Pick<Rect, 'beside'> = mime === 'image/webp' ? {} : { beside: axis };
  const rects: Rect[] = [
    ...paintedAreas(region).map((box) => ({ ...toPixels(box, size, pixels), ...adjacentAxis })),
    ...region.planned.map((box) => toPixels(box, size, pixels)),
  ];
  return rects.map((rect) => alignToBlocks(rect, blockSize, pixels));
}

function toPixels(
  [x0, y0, x1, y1]: Box,
  size: { width: number; height: number },
  { width, height }: { width: number; height: number },
): Rect {
  return {
    x0: Math.max(0, Math.floor((x0 / size.width) * width)),
    y0: Math.max(0, Math.floor((y0 / size.height) * height)),
    x1: Math.min(width, Math.ceil((x1 / size.width) * width)),
    y1: Math.min(height, Math.ceil((y1 / size.height) * height)),
  };
}

function reportOf(
  page: number,
  size: { width: number; height: number },
  regions: readonly PaintRegion[],
): RedactedPage {
  return {
    page,
    outputPage: 1,
    treatment: regions.length > 0 ? 'redacted' : 'copied',
    reason: null,
    widthPt: size.width,
    heightPt: size.height,
    regions: regions.flatMap(({ box, types }) => types.map((type) => ({ box, type }))),
  };
}
