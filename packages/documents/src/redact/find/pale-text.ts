import { applyToBox, area, invert, sharedArea } from '../../geometry.ts';
import { paleInkFinder, stretchContrast } from '../../ink/pale-ink.ts';
import { type Fragment, fragmentsOfResult } from '../../model/fragments.ts';
import { type PagePicture, pictureToDisplay } from '../../ocr/pictures/picture.ts';
import { recognisePicture } from '../../ocr/recognise-picture.ts';
import type { Tesseract } from '../../ocr/tesseract/recogniser.ts';
import type { Box } from '../../results.ts';
import { selectReadWords } from './read-words.ts';
import { growToLines } from './recognised-words.ts';

/** Resolution at which pale ink is searched for, in dpi. */
const searchDpi = 170;

type Reader = {
  /** Starts Tesseract for the first page that needs it. */
  tesseract(): Promise<Tesseract>;
  languages: readonly string[];
  isolation: string;
};

/** Whether two boxes belong to the same word, read twice. */
const isSameWord = (one: Box, other: Box): boolean =>
  sharedArea(one, other) > 0.3 * Math.min(area(one), area(other));

/**
 * Reads text in ink that is barely darker than its background or visible in one channel only. The
 * boxes contain all of its ink. A page without such ink is not recognised.
 * @param channels returns the page, once per channel, at the given resolution or less
 * @param read words that were recognised otherwise
 * @param own boxes of the page's own text
 */
export async function readPaleInk(
  channels: (dpi: number) => Promise<PagePicture[]>,
  read: readonly Fragment[],
  own: readonly Box[],
  { tesseract, languages, isolation }: Reader,
): Promise<Fragment[]> {
  const { sure, alone } = selectReadWords(read);
  const known = [...own, ...[...sure, ...alone].map(({ box }) => box)];
  const fragments: Fragment[] = [];
  const pictures = await channels(searchDpi);
  const findPaleInk = paleInkFinder(pictures);
  for (const [at, picture] of pictures.entries()) {
    const toPixels = invert(pictureToDisplay(picture));
    const boxes = [...known, ...fragments.map(({ box }) => box)];
    const view = findPaleInk(
      at,
      boxes.map((box) => applyToBox(toPixels, box)),
    );
    if (!view) continue;
    const draw = async (dpi: number): Promise<PagePicture> =>
      stretchContrast((await channels(dpi))[at] ?? picture);
    const words = fragmentsOfResult(
      await recognisePicture(await tesseract(), draw, languages, isolation),
    );
    const isNew = ({ box }: Fragment): boolean => !boxes.some((other) => isSameWord(other, box));
    // Lines of recognised text have negative run numbers.
    const lastRun = [...read, ...fragments].reduce((min, { run }) => Math.min(min, run), 0);
    const newWords = words.filter(isNew).map((word) => ({ ...word, run: lastRun + word.run }));
    fragments.push(...growToLines(newWords, view));
  }
  return fragments;
}
