import { pluralise } from '@scriptorium/contracts/pluralise';
import { EngineError } from '@scriptorium/sandbox/errors';
import { applyToBox, turn } from '../../../geometry.ts';
import type { Tesseract } from '../../../ocr/tesseract/recogniser.ts';
import type { Box } from '../../../results.ts';
import type { RedactionCheck } from '../../contract/report.ts';
import type { Matcher } from '../../matching/matcher.ts';
import type { Claim } from '../claim.ts';
import { createVerdict } from '../verdict.ts';
import { isDrawnLabel, labelText } from './drawn-label.ts';
import { type ReportedRegion, typesAt } from './glyphs.ts';
import type { DoubtfulPart } from './pictures.ts';
import { isReadable, type RegionTile, resemblesValue } from './regions.ts';
import {
  type GreyTile,
  invertTones,
  type ReadWord,
  readTiles,
  stretch,
  trim,
  turnsOf,
  turnTile,
} from './tiles.ts';

/** The recogniser, and the project for which it reads. */
export interface PictureReader {
  tesseract: () => Promise<Tesseract>;
  isolation: string;
}

/** The failures that a check found, and a description of what it examined. */
export interface CheckOutcome {
  faults: string[];
  summary: string;
  /** Boxes of text that was never read, in points of the page. */
  unread?: Box[];
}

/** Runs a check. A page that cannot be read fails the check. Errors of the machine are thrown. */
export async function runCheck(
  name: string,
  page: number,
  check: () => CheckOutcome | Promise<CheckOutcome>,
): Promise<RedactionCheck> {
  try {
    const { faults, summary, unread } = await check();
    const failures = faults.map((detail) => ({ detail, page }));
    return { ...createVerdict(name, failures, summary), ...(unread ? { unread } : {}) };
  } catch (error) {
    if (!(error instanceof EngineError) || error.retryable) throw error;
    return createVerdict(name, [{ detail: error.message, page }], '');
  }
}

/** Returns the description of a value that occurs in a text, if any. */
export function describeFound(matcher: Matcher, text: string, where: string): string[] {
  const sought = matcher.inText(text);
  return sought ? [`${sought.type} in ${where}.`] : [];
}

/** Maximum number of picture parts read per page. */
const maxDoubtfulParts = 400;

/**
 * Reads the parts of pictures that are neither uniform nor a label. The background of removed text
 * may remain under a box, but text in a picture must not.
 */
export async function readDoubtfulParts(
  parts: readonly DoubtfulPart[],
  regions: readonly ReportedRegion[],
  { matcher }: Claim,
  { tesseract, isolation }: PictureReader,
): Promise<string[]> {
  if (parts.length > maxDoubtfulParts) return ['Too many parts of pictures are not painted over.'];
  const partsToRead: DoubtfulPart[] = [];
  for (const part of parts) if (!(await showsLabel(part, regions))) partsToRead.push(part);
  if (partsToRead.length === 0) return [];
  const tiles = partsToRead.flatMap((part) =>
    turnsOf(part.tile).flatMap((quarters) => {
      const stretched = trim(stretch(turnTile(part.tile, quarters)));
      return [
        { part, tile: stretched },
        { part, tile: invertTones(stretched) },
      ];
    }),
  );
  const pictures = tiles.map(({ tile }) => tile);
  const words = await readTiles(await tesseract(), pictures, isolation);
  const faults = new Set<string>();
  for (const part of partsToRead) {
    const readings = tiles.flatMap((tile, index) =>
      tile.part === part ? [words[index] ?? []] : [],
    );
    const types = part.region ? typesAt(regions, part.region) : [];
    const containsValue = readings.some((read) => matcher.inText(textOf(read)));
    if (!containsValue && !isReadable(readings, types)) continue;
    faults.add(
      part.region
        ? 'A picture is not painted over.'
        : (part.fault ?? 'A picture continues outside the page.'),
    );
  }
  return [...faults];
}

async function showsLabel(
  { tile, region }: { tile: GreyTile; region: ReportedRegion | null },
  regions: readonly ReportedRegion[],
): Promise<boolean> {
  return region !== null && isDrawnLabel(tile, labelText(regions, region));
}

/**
 * Minimum confidence of a reading. Text read with a lower confidence may be upside down, or may not
 * be text.
 */
const minConfidence = 0.6;

/**
 * Reads tiles of regions and reports values that can still be read. Labels need not be readable.
 */
export async function readRegions(
  regionTiles: readonly RegionTile[],
  regions: readonly ReportedRegion[],
  { matcher, report }: Claim,
  { tesseract, isolation }: PictureReader,
  onRead: (tile: RegionTile, words: readonly ReadWord[]) => void = () => undefined,
): Promise<CheckOutcome> {
  const tiles: RegionTile[] = [];
  for (const tile of regionTiles) {
    if (tile.part === 'around' || !(await showsLabel(tile, regions))) tiles.push(tile);
  }
  const faults: string[] = [];
  const onBoxes = new Map<ReportedRegion, ReadWord[][]>();
  const examine = ({ region, part, box }: RegionTile, read: readonly ReadWord[]): void => {
    faults.push(...describeFound(matcher, textOf(read), 'what is drawn'));
    const inside = read.filter(({ box: [x0, y0, x1, y1] }) => {
      const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
      return x > box[0] && x < box[2] && y > box[1] && y < box[3];
    });
    if (part === 'inside') onBoxes.set(region, [...(onBoxes.get(region) ?? []), inside]);
    const types = typesAt(regions, region);
    const values = report.values.filter(({ type }) => types.includes(type));
    if (part === 'around' && resemblesValue(inside, values)) {
      faults.push('Part of a value can be read next to a box.');
    }
  };
  const recogniser = await tesseract();
  const read = async (batch: readonly RegionTile[]): Promise<ReadWord[][]> => {
    const pictures = batch.map(({ tile }) => tile);
    const words = await readTiles(recogniser, pictures, isolation);
    batch.forEach((tile, index) => {
      examine(tile, words[index] ?? []);
    });
    return words;
  };
  const words = await read(tiles);
  tiles.forEach((tile, index) => {
    onRead(tile, words[index] ?? []);
  });
  const isExposed = (region: ReportedRegion): boolean =>
    isReadable(onBoxes.get(region) ?? [], typesAt(regions, region));
  // Text that was misread, or that is not a label, may be sideways or upside down.
  const tilesToTurn = tiles.filter(({ part, box, region }, index) => {
    const found = words[index] ?? [];
    if (part === 'inside' && isExposed(region)) return true;
    const isUpright = part === 'around' && turnsOf(sizeOf(box)).includes(0);
    return found.length === 0 ? !isUpright : confidenceOf(found) < minConfidence;
  });
  const turnedTiles = tilesToTurn.flatMap((tile) =>
    turnsOf(sizeOf(tile.box))
      .filter((quarters) => quarters !== 0)
      .map((quarters) => turnRegionTile(tile, quarters)),
  );
  if (turnedTiles.length > 0) await read(turnedTiles);
  for (const region of onBoxes.keys()) {
    if (isExposed(region)) faults.push('Text can be read on a box.');
  }
  return { faults, summary: `${pluralise(regions.length, 'region')} at 300 dpi.` };
}

const textOf = (read: readonly ReadWord[]): string => read.map(({ text }) => text).join(' ');

/** Returns the mean confidence, weighted by the number of letters. */
function confidenceOf(words: readonly ReadWord[]): number {
  const letters = words.reduce((sum, { text }) => sum + text.length, 0);
  const sum = words.reduce((total, { text, confidence }) => total + text.length * confidence, 0);
  return letters === 0 ? 0 : sum / letters;
}

const sizeOf = ([x0, y0, x1, y1]: Box) => ({ width: x1 - x0, height: y1 - y0 });

function turnRegionTile(regionTile: RegionTile, quarters: number): RegionTile {
  const { width, height } = regionTile.tile;
  const map = turn(width, height, quarters * 90);
  return {
    ...regionTile,
    tile: turnTile(regionTile.tile, quarters),
    box: applyToBox(map, regionTile.box),
  };
}
