import { EngineError } from '../../../errors.ts';
import { applyToBox, turn } from '../../../geometry.ts';
import type { Tesseract } from '../../../ocr/tesseract.ts';
import type { Box } from '../../../results.ts';
import type { Check } from '../../plan.ts';
import type { Matcher } from '../matcher.ts';
import type { Claim } from '../report.ts';
import { count, verdict } from '../verdict.ts';
import { type Region, typesAt } from './glyphs.ts';
import type { Doubtful } from './pictures.ts';
import { isReadable, type RegionTile, resembles } from './regions.ts';
import {
  invertTones,
  type ReadWord,
  readTiles,
  stretch,
  trimmed,
  turned,
  turnsOf,
} from './tiles.ts';

/** What reads pictures, and for whom. */
export interface Reader {
  tesseract: () => Promise<Tesseract>;
  isolation: string;
}

/** What a check came to: what is wrong, and what it looked at. */
export interface Outcome {
  wrong: string[];
  looked: string;
}

/** A page that a check cannot read has failed it; the machine's faults are not the page's. */
export async function guarded(
  name: string,
  page: number,
  look: () => Outcome | Promise<Outcome>,
): Promise<Check> {
  try {
    const { wrong, looked } = await look();
    return verdict(
      name,
      wrong.map((detail) => ({ detail, page })),
      looked,
    );
  } catch (error) {
    if (!(error instanceof EngineError) || error.retryable) throw error;
    return verdict(name, [{ detail: error.message, page }], '');
  }
}

/** Words for a value that was read. */
export function valueIn(matcher: Matcher, text: string, where: string): string[] {
  const sought = matcher.inText(text);
  return sought ? [`${sought.type} in ${where}.`] : [];
}

/** Most parts of pictures on one page that are read. */
const mostDoubtful = 400;

/**
 * Reads the parts of pictures that are not of one colour. A background behind text that went may stay
 * under the box; what had been found in a picture was read there, and would be read there again.
 */
export async function readDoubtful(
  doubtful: readonly Doubtful[],
  regions: readonly Region[],
  { matcher }: Claim,
  { tesseract, isolation }: Reader,
): Promise<string[]> {
  if (doubtful.length === 0) return [];
  if (doubtful.length > mostDoubtful) return ['Too many parts of pictures are not painted over.'];
  const tiles = doubtful.flatMap((part) =>
    turnsOf(part.tile).flatMap((quarters) => {
      const stretched = trimmed(stretch(turned(part.tile, quarters)));
      return [
        { part, tile: stretched },
        { part, tile: invertTones(stretched) },
      ];
    }),
  );
  const pictures = tiles.map(({ tile }) => tile);
  const words = await readTiles(await tesseract(), pictures, isolation);
  const wrong = new Set<string>();
  for (const part of doubtful) {
    const readings = tiles.flatMap((tile, index) =>
      tile.part === part ? [words[index] ?? []] : [],
    );
    const types = part.region ? typesAt(regions, part.region) : [];
    const holdsValue = readings.some((read) => matcher.inText(textOf(read)));
    if (!holdsValue && !isReadable(readings, types)) continue;
    wrong.add(
      part.region ? 'A picture is not painted over.' : 'A picture goes on outside the page.',
    );
  }
  return [...wrong];
}

/** Below this a reading is of text that stands on its head, or of none. */
const doubtfulReading = 0.6;

/** Reads tiles of regions, and says where a value can still be read. */
export async function readRegions(
  tiles: readonly RegionTile[],
  regions: readonly Region[],
  { matcher, report }: Claim,
  { tesseract, isolation }: Reader,
): Promise<Outcome> {
  const wrong: string[] = [];
  const onBoxes = new Map<Region, ReadWord[][]>();
  const judge = ({ region, part, box }: RegionTile, read: readonly ReadWord[]): void => {
    wrong.push(...valueIn(matcher, textOf(read), 'what is drawn'));
    const inside = read.filter(({ box: [x0, y0, x1, y1] }) => {
      const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
      return x > box[0] && x < box[2] && y > box[1] && y < box[3];
    });
    if (part === 'inside') onBoxes.set(region, [...(onBoxes.get(region) ?? []), inside]);
    const types = typesAt(regions, region);
    const values = report.values.filter(({ type }) => types.includes(type));
    if (part === 'around' && resembles(inside, values)) {
      wrong.push('Something of a value can be read at a box.');
    }
  };
  const recogniser = await tesseract();
  const read = async (some: readonly RegionTile[]): Promise<ReadWord[][]> => {
    const pictures = some.map(({ tile }) => tile);
    const words = await readTiles(recogniser, pictures, isolation);
    some.forEach((tile, index) => {
      judge(tile, words[index] ?? []);
    });
    return words;
  };
  const words = await read(tiles);
  const isOpen = (region: Region): boolean =>
    isReadable(onBoxes.get(region) ?? [], typesAt(regions, region));
  // What could not be read well, or is no label, may lie on its side or stand on its head.
  const again = tiles.filter(({ part, box, region }, index) => {
    const found = words[index] ?? [];
    if (part === 'inside' && isOpen(region)) return true;
    const isUpright = part === 'around' && turnsOf(sizeOf(box)).includes(0);
    return found.length === 0 ? !isUpright : confidenceOf(found) < doubtfulReading;
  });
  const ways = again.flatMap((tile) =>
    turnsOf(sizeOf(tile.box))
      .filter((quarters) => quarters !== 0)
      .map((quarters) => turnedTile(tile, quarters)),
  );
  if (ways.length > 0) await read(ways);
  for (const region of onBoxes.keys()) {
    if (isOpen(region)) wrong.push('Something can be read on a box.');
  }
  return { wrong, looked: `${count(regions.length, 'region')} at 300 dpi.` };
}

const textOf = (read: readonly ReadWord[]): string => read.map(({ text }) => text).join(' ');

/** Mean confidence by letter. */
function confidenceOf(words: readonly ReadWord[]): number {
  const letters = words.reduce((sum, { text }) => sum + text.length, 0);
  const sum = words.reduce((total, { text, confidence }) => total + text.length * confidence, 0);
  return letters === 0 ? 0 : sum / letters;
}

const sizeOf = ([x0, y0, x1, y1]: Box) => ({ width: x1 - x0, height: y1 - y0 });

function turnedTile(given: RegionTile, quarters: number): RegionTile {
  const { width, height } = given.tile;
  const map = turn(width, height, quarters * 90);
  return { ...given, tile: turned(given.tile, quarters), box: applyToBox(map, given.box) };
}
