import { area, displaySize, hull, nearestQuarter, sharedArea } from '../../geometry.ts';
import { transpose } from '../../ink/components.ts';
import { type Fragment, fragmentsOfResult } from '../../model/fragments.ts';
import { pictureOfImage, type View } from '../../ocr/pictures/page-picture.ts';
import { cropPicture, keepParts, type PagePicture } from '../../ocr/pictures/picture.ts';
import { recognisePicture } from '../../ocr/recognise-picture.ts';
import type { Tesseract } from '../../ocr/tesseract/recogniser.ts';
import type { Box, PageFrame, PageResult } from '../../results.ts';
import type { Areas } from './areas.ts';
import { growToInk, type Neighbours } from './grow-to-ink.ts';

/** Resolution at which boxes are compared with ink, in dpi. */
const inkDpi = 170;
/** White margin around an area, in points. Letters at the very edge are misread. */
const areaMargin = 4;

/** A loaded page, and its pictures at the given resolutions or less. */
type OpenPage = { frame: PageFrame; draw(dpi: number): Promise<PagePicture> };
type Reader = { tesseract: Tesseract; languages: readonly string[]; isolation: string };

/** Recognises areas of a loaded page one by one, and lines of its text together. */
export async function recogniseAreas(
  { frame, draw }: OpenPage,
  { areas, lines }: Pick<Areas, 'areas' | 'lines'>,
  { tesseract, languages, isolation }: Reader,
): Promise<Fragment[]> {
  const size = displaySize(frame);
  const fragments: Fragment[] = [];
  const recognise = async (
    picture: (dpi: number) => Promise<PagePicture>,
    rotate: boolean,
  ): Promise<void> => {
    const found = await recognisePicture(tesseract, picture, languages, isolation, rotate);
    const first = fragments.length;
    fragments.push(
      ...fragmentsOfResult(found).map((one) => ({ ...one, run: one.run - first - 1 })),
    );
  };
  for (const box of areas) {
    const isWholePage = area(box) >= 0.99 * size.width * size.height;
    await recognise(
      async (dpi) => (isWholePage ? draw(dpi) : cropPicture(await draw(dpi), withMargin(box))),
      true,
    );
  }
  const bounds = hull(lines.boxes);
  if (bounds) {
    await recognise(
      async (dpi) => cropPicture(keepParts(await draw(dpi), lines.boxes), withMargin(bounds)),
      !lines.isLevel,
    );
  }
  return fragments;
}

const withMargin = ([x0, y0, x1, y1]: Box): Box => [
  x0 - areaMargin,
  y0 - areaMargin,
  x1 + areaMargin,
  y1 + areaMargin,
];

/** Maximum extent of print above and below the baseline, in line heights. */
const ascent = 0.84;
const descent = 0.28;
/** Maximum angle of a line whose words get the height of the line, in degrees. */
const maxLean = 3;

/**
 * Extends a box to the height of its line, because a tighter box would reveal the shape of its
 * letters.
 */
function extendToLine(box: Box, { angle, start, end, size }: Fragment): Box {
  if (Math.abs(angle - Math.round(angle / 90) * 90) > maxLean) return box;
  const line: Box = [
    Math.min(start[0], end[0]),
    Math.min(start[1], end[1]),
    Math.max(start[0], end[0]),
    Math.max(start[1], end[1]),
  ];
  const [x0, y0, x1, y1] = box;
  const [above, below] = [ascent * size, descent * size];
  switch (nearestQuarter(angle)) {
    case 0:
      return [x0, Math.min(y0, line[1] - above), x1, Math.max(y1, line[3] + below)];
    case 90:
      return [Math.min(x0, line[0] - below), y0, Math.max(x1, line[2] + above), y1];
    case 180:
      return [x0, Math.min(y0, line[1] - below), x1, Math.max(y1, line[3] + above)];
    default:
      return [Math.min(x0, line[0] - above), y0, Math.max(x1, line[2] + below), y1];
  }
}

/**
 * Returns recognised fragments with boxes that contain all of their ink and have the height of
 * their line.
 */
export function growToLines(fragments: readonly Fragment[], picture: PagePicture): Fragment[] {
  const level = fragments.filter(isLevel).sort((a, b) => a.box[0] - b.box[0]);
  // Words turned by 90 degrees are measured on the page with rows and columns exchanged.
  const upright = fragments
    .filter(isUpright)
    .map(transposeFragment)
    .sort((a, b) => a.box[0] - b.box[0]);
  const transposedPicture = upright.length > 0 ? transposePicture(picture) : picture;
  return fragments.map((fragment) => {
    const [x0, y0, x1, y1] = fragment.box;
    const height = Math.min(fragment.size, Math.max(x1 - x0, y1 - y0));
    const box = isUpright(fragment)
      ? transposeBox(growBox(transposedPicture, transposeFragment(fragment), height, upright))
      : growBox(picture, fragment, height, isLevel(fragment) ? level : undefined);
    return { ...fragment, box: extendToLine(box, fragment) };
  });
}

const growBox = (
  picture: PagePicture,
  fragment: Fragment,
  height: number,
  others: readonly Fragment[] | undefined,
): Box => growToInk(picture, fragment.box, height, others && neighboursOf(fragment, others));

const transposeBox = ([x0, y0, x1, y1]: Box): Box => [y0, x0, y1, x1];
const transposeFragment = (fragment: Fragment): Fragment => ({
  ...fragment,
  box: transposeBox(fragment.box),
});
const transposePicture = (picture: PagePicture): PagePicture => ({
  ...picture,
  ...transpose(picture),
  box: transposeBox(picture.box),
});

const isLevel = ({ angle, box }: Fragment): boolean =>
  Math.abs(Math.sin((angle * Math.PI) / 180)) < 0.1 && box[3] > box[1];
const isUpright = ({ angle, box }: Fragment): boolean =>
  Math.abs(Math.cos((angle * Math.PI) / 180)) < 0.1 && box[2] > box[0];

/** Returns the neighbours of a word among level words, which are sorted from left to right. */
function neighboursOf({ box }: Fragment, level: readonly Fragment[]): Neighbours {
  const neighbours: Neighbours = { left: undefined, right: undefined };
  const middle = (box[0] + box[2]) / 2;
  for (const { box: other } of level) {
    const overlap = Math.min(box[3], other[3]) - Math.max(box[1], other[1]);
    if (overlap < 0.5 * Math.min(box[3] - box[1], other[3] - other[1])) continue;
    if (other[2] < middle) neighbours.left = Math.max(neighbours.left ?? other[2], other[2]);
    else if (other[0] > middle) {
      neighbours.right = other[0];
      break;
    }
  }
  return neighbours;
}

/**
 * Returns the page as a picture for measuring ink.
 * @param view the view of a picture
 */
export function inkPicture(
  source: { path: string; page: number },
  open: OpenPage | undefined,
  view?: View,
): Promise<PagePicture> {
  return open ? open.draw(inkDpi) : pictureOfImage(source.path, source.page, inkDpi, view);
}

/** Returns the recognised words of a page's result. */
export function recognisedOf(result: PageResult): Fragment[] {
  return fragmentsOfResult(result);
}

const normalise = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/**
 * Pairs recognised words that only repeat the page's own text with the fragments they repeat. Both
 * have the same text, so either can replace the other.
 */
export function matchOwnText(
  own: readonly Fragment[],
  recognised: readonly Fragment[],
): { echoes: Set<Fragment>; repeated: Set<Fragment>; crossed: Set<Fragment> } {
  const duplicates = new Set<Fragment>();
  const confirmed = new Set<Fragment>();
  const contradicted = new Set<Fragment>();
  for (const word of recognised) {
    const covered = own.filter(
      ({ box }) => sharedArea(box, word.box) > 0.5 * Math.min(area(box), area(word.box)),
    );
    if (covered.length === 0) continue;
    const same = normalise(covered.map(({ text }) => text).join('')) === normalise(word.text);
    if (same) duplicates.add(word);
    for (const fragment of covered) (same ? confirmed : contradicted).add(fragment);
  }
  return { echoes: duplicates, repeated: confirmed, crossed: contradicted };
}
