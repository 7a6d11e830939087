import sharp from 'sharp';
import { nearestQuarter } from '../../geometry.ts';
import type { GreyRaster } from '../../ink/components.ts';
import { measureLetterGroups, paperAndInk } from '../../ink/letter-groups.ts';
import { withoutLongRules } from '../../ink/rules.ts';
import type { Fragment } from '../../model/fragments.ts';
import { cropPicture, type PagePicture } from '../../ocr/pictures/picture.ts';
import type { Hocr } from '../../ocr/tesseract/hocr.ts';
import type { GreyPicture } from '../../ocr/tesseract/recogniser.ts';
import { turnTile } from '../check/page/tiles.ts';

/**
 * Minimum share of the letters of a printed word that do not touch, unless it is small or coarse.
 */
const minSeparateShare = 0.6;
/** Maximum width of a letter, in line heights. */
const maxLetterWidth = 0.9;
/** Maximum length of a word, in line heights. */
const maxWordLength = 30;
/**
 * Maximum height of coarse print in which letters may touch, in pixels, and the scripts in which
 * letters are normally separate.
 */
const maxJoinedHeight = 48;
const separateScripts = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}]/u;

/**
 * Line heights at which words are read again, in pixels, and the confidence that at least one of
 * these readings must have.
 */
const readingHeights = [44, 58] as const;
const minConfidence = 0.9;
/**
 * Minimum number of words read together at each height. Words are repeated to reach it, because the
 * recogniser mistakes single words for pictures.
 */
const minWordsTogether = 4;
/** Maximum deviation of grain from the tone of the paper, as a share of the contrast. */
const maxGrain = 0.2;
/**
 * Length of the lines of words that are read again, and the width of the paper around and between
 * the words, in pixels.
 */
const lineLength = 1200;
const border = 40;
const wordGap = 18;

/** Recognises a picture in the languages of the page. */
export type Recognise = (picture: GreyPicture) => Promise<Hocr>;

/**
 * Returns the words that are certainly print: their letters are separate, or they read the same at
 * other sizes. The recogniser's confidence is not sufficient, because it may be high for an
 * isolated handwritten word that reads differently at other sizes.
 */
export async function printedWords(
  words: readonly Fragment[],
  picture: PagePicture,
  recognise: Recognise,
): Promise<Fragment[]> {
  if (words.length === 0) return [];
  // A rule would join the letters that touch it. Short strokes between rules may be parts of letters.
  const unruled = withoutLongRules(picture);
  const joined = words
    .map((word): WordPicture => ({ word, picture: pictureOf(word, unruled) }))
    .filter((drawn) => !hasSeparateLetters(drawn));
  if (joined.length === 0) return [...words];
  const mayBePrint = joined.filter(
    ({ word, picture: { width, height } }) =>
      width <= maxWordLength * height &&
      (height <= maxJoinedHeight || !separateScripts.test(word.text)),
  );
  const alike = await wordsReadAlike(mayBePrint, recognise);
  const unsure = new Set(joined.map(({ word }) => word).filter((word) => !alike.has(word)));
  return words.filter((word) => !unsure.has(word));
}

/** A word and its picture, upright. */
type WordPicture = { word: Fragment; picture: GreyRaster };

const normalise = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

function pictureOf({ box, angle }: Fragment, picture: PagePicture): GreyRaster {
  return turnTile(cropPicture(picture, box), (4 - nearestQuarter(angle) / 90) % 4);
}

function hasSeparateLetters({ word, picture }: WordPicture): boolean {
  const letters = [...normalise(word.text)].length;
  const { groups, widest } = measureLetterGroups(picture);
  return (
    groups >= minSeparateShare * letters && widest <= maxLetterWidth * letters * picture.height
  );
}

/** A word and its position in the picture to be read again. */
type PlacedWord = { word: Fragment; tile: GreyRaster; x: number; y: number };

/** Returns the words that read the same at other sizes. */
async function wordsReadAlike(
  words: readonly WordPicture[],
  recognise: Recognise,
): Promise<Set<Fragment>> {
  if (words.length === 0) return new Set();
  const repeats = Math.ceil(minWordsTogether / words.length);
  const repeated = Array.from({ length: repeats }, () => words).flat();
  const lines = { y: border, right: 0 };
  const places: PlacedWord[] = [];
  for (const lineHeight of readingHeights)
    places.push(...(await placeWords(repeated, lineHeight, lines)));
  const [width, height] = [lines.right + border, lines.y + border];
  const { words: found } = await recognise(drawWords(places, width, height));
  const confidences = new Map<Fragment, number[]>();
  for (const place of places) {
    const others = confidences.get(place.word) ?? [];
    confidences.set(place.word, [...others, confidenceAt(place, found)]);
  }
  const isSame = (all: readonly number[]): boolean =>
    Math.min(...all) > 0 && Math.max(...all) >= minConfidence;
  return new Set([...confidences].filter(([, all]) => isSame(all)).map(([word]) => word));
}

/**
 * Places words at one height, in lines that start at `lines.y`, and advances `lines.y` to below
 * them.
 */
async function placeWords(
  words: readonly WordPicture[],
  lineHeight: number,
  lines: { y: number; right: number },
): Promise<PlacedWord[]> {
  const places: PlacedWord[] = [];
  let x = border;
  for (const { word, picture } of words) {
    const tile = await toBlackOnWhite(picture, lineHeight);
    if (x > border && x + tile.width > lineLength) {
      x = border;
      lines.y += lineHeight + wordGap;
    }
    places.push({ word, tile, x, y: lines.y });
    x += tile.width + wordGap;
    lines.right = Math.max(lines.right, x);
  }
  lines.y += lineHeight + wordGap;
  return places;
}

/**
 * Returns the confidence with which the same text was read in the place of a word; 0 if the text
 * differs.
 */
function confidenceAt({ word, tile, x, y }: PlacedWord, found: Hocr['words']): number {
  const read = found.filter(({ box: [x0, y0, x1, y1] }) => {
    const [dx, dy] = [(x0 + x1) / 2 - x, (y0 + y1) / 2 - y];
    return dx > 0 && dx < tile.width && dy > 0 && dy < tile.height;
  });
  const isSame = normalise(read.map(({ text }) => text).join('')) === normalise(word.text);
  return isSame ? Math.min(...read.map(({ confidence }) => confidence)) : 0;
}

function drawWords(places: readonly PlacedWord[], width: number, height: number): GreyPicture {
  const data = new Uint8Array(width * height).fill(255);
  for (const { tile, x, y } of places) {
    for (let row = 0; row < tile.height; row += 1) {
      const line = tile.data.subarray(row * tile.width, (row + 1) * tile.width);
      data.set(line, (y + row) * width + x);
    }
  }
  return { data, width, height, dpi: undefined };
}

/** Returns a word in black on white, scaled to a given height. */
async function toBlackOnWhite(picture: GreyRaster, targetHeight: number): Promise<GreyRaster> {
  const { data, width, height } = picture;
  const { paper, ink } = paperAndInk(picture);
  const tones = Uint8Array.from({ length: 256 }, (_, tone) => {
    const dark = (paper - tone) / (paper - ink || 1);
    return Math.round(255 * Math.min(1, Math.max(0, 1 - (dark - maxGrain) / (1 - maxGrain))));
  });
  const targetWidth = Math.max(1, Math.round((width * targetHeight) / height));
  const { data: scaled, info } = await sharp(
    data.map((tone) => tones[tone] ?? 255),
    { raw: { width, height, channels: 1 } },
  )
    .resize(targetWidth, targetHeight, { fit: 'fill' })
    .toColourspace('b-w')
    .extractChannel(0)
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return { data: scaled, width: info.width, height: info.height };
}
