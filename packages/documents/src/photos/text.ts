import { area, heightOf, sharedArea, widthOf } from '../geometry.ts';
import { measureBackground } from '../ink/background.ts';
import type { GreyRaster } from '../ink/components.ts';
import { oncePerPicture } from '../ink/per-picture.ts';
import { withoutRules } from '../ink/rules.ts';
import { cropTo, resize, type TileOptions, tilesOf } from '../networks/tiles.ts';
import type { Box } from '../results.ts';
import { isPaperInShade, photoAreas } from './areas.ts';
import { blankTone, sideUnit, type TextMap, TextNetwork } from './text-network.ts';

/** What a page shows in its photographs, in pixels of the page. */
export interface PhotoText {
  /** The areas of the photographs. */
  photos: Box[];
  /** The text in them, which may also have been read. */
  texts: Box[];
}

/** Minimum sides of a photograph, in pixels of 150 dpi. A smaller area may be a word in thick pen. */
const minPhotoSide = 150;
/**
 * Sizes in which the network sees a photograph: for small, for usual, and for very large print. In a
 * second view of a page, only usual print is searched for.
 */
export const textScales = { all: [1.5, 0.75, 0.375], usual: [0.75] } as const;
/** Minimum probability of text. */
const minProbability = 0.2;
/** Minimum number of pixels with text that adjoin each other. */
const minPixels = 12;
/** The network marks the inside of a line of text. It is larger by this share of its thickness. */
const outset = 1.6;
/** Share of a box above which it is in a photograph, or is text. */
const minShare = { inPhoto: 0.5, isText: 0.2 } as const;

/** Side of the squares in which the tone of the ground is measured, and its share of the tones. */
const groundSide = 32;
const groundQuantile = 0.85;
/** Maximum difference from the tone of the ground, and minimum share of such pixels on paper. */
const maxGrain = 12;
const minGroundShare = 0.55;
/** Maximum height of writing by hand, in pixels. */
const maxWriting = 120;

const groundOf = oncePerPicture((picture) =>
  measureBackground(picture, groundSide, groundQuantile),
);

const tiles: TileOptions = {
  unit: sideUnit,
  maxSide: 24 * sideUnit,
  overlap: 2 * sideUnit,
  blankTone,
};

let network: TextNetwork | undefined;

/**
 * Finds text in the photographs of a page, in any script and direction.
 * @param picture the page at about 150 dpi
 * @param known boxes of text that was read, in pixels, which are no photographs
 */
export function findTextInPhotos(
  picture: GreyRaster,
  known: readonly Box[],
  scales: readonly number[] = textScales.all,
): PhotoText {
  const photos = photoAreas(picture, known).filter(
    (box) =>
      Math.min(widthOf(box), heightOf(box)) >= minPhotoSide && !isPaperInShade(picture, box, known),
  );
  if (photos.length === 0) return { photos, texts: [] };
  // The network takes the ends of rules for letters such as I.
  const plain = withoutRules(picture);
  const texts = photos.flatMap((photo) => {
    const part = cropTo(plain, photo, blankTone);
    return scales.flatMap((scale) =>
      textsIn(resize(part, scale)).map((box): Box => {
        const [x0, y0, x1, y1] = box;
        const [left, top] = photo;
        return [left + x0 / scale, top + y0 / scale, left + x1 / scale, top + y1 / scale];
      }),
    );
  });
  return { photos, texts };
}

/**
 * Whether strokes in a box are texture: in a photograph, not on paper in the shade, and not where the
 * text of the photograph is.
 */
export const isTexture = (picture: GreyRaster, box: Box, { photos, texts }: PhotoText): boolean =>
  photos.some((photo) => sharedArea(photo, box) >= minShare.inPhoto * area(box)) &&
  texts.every((text) => sharedArea(text, box) < minShare.isText * area(box)) &&
  !isOnPaper(picture, box);

/**
 * Returns a function that tells texture from strokes as `isTexture` does. The photographs are
 * searched for text when it is first called.
 */
export function textureTest(picture: GreyRaster, known: readonly Box[]): (box: Box) => boolean {
  let found: PhotoText | undefined;
  return (box) => {
    found ??= findTextInPhotos(picture, known);
    return isTexture(picture, box, found);
  };
}

/** Whether most of a box has the tone of its ground, as on paper. Larger letters are rarely written. */
function isOnPaper(picture: GreyRaster, box: Box): boolean {
  const [x0, y0, x1, y1] = box;
  if (Math.min(widthOf(box), heightOf(box)) > maxWriting) return false;
  const { data, width, height } = picture;
  const ground = groundOf(picture);
  let [ofGround, pixels] = [0, 0];
  for (let y = Math.max(0, Math.floor(y0)); y < Math.min(height, y1); y += 1) {
    for (let x = Math.max(0, Math.floor(x0)); x < Math.min(width, x1); x += 1) {
      const square = Math.floor(y / groundSide) * ground.columns + Math.floor(x / groundSide);
      if (Math.abs(data[y * width + x]! - ground.tones[square]!) <= maxGrain) ofGround += 1;
      pixels += 1;
    }
  }
  return ofGround >= minGroundShare * pixels;
}

/** Returns the boxes around the text in a picture, in its pixels. */
function textsIn(picture: GreyRaster): Box[] {
  network ??= new TextNetwork();
  const found: Box[] = [];
  for (const { picture: tile, x, y } of tilesOf(picture, tiles)) {
    for (const [x0, y0, x1, y1] of boxesOf(network.look(tile))) {
      found.push([x + x0, y + y0, x + x1, y + y1]);
    }
  }
  return found;
}

/** Returns the boxes around probable text. */
function boxesOf({ data, width, height }: TextMap): Box[] {
  const isSeen = new Uint8Array(data.length);
  const boxes: Box[] = [];
  const open: number[] = [];
  for (let start = 0; start < data.length; start += 1) {
    if (isSeen[start] === 1 || data[start]! < minProbability) continue;
    let [x0, y0, x1, y1, pixels, edges] = [width, height, 0, 0, 0, 0];
    const visit = (at: number, isInside: boolean): void => {
      if (!isInside || data[at]! < minProbability) edges += 1;
      else if (isSeen[at] === 0) {
        isSeen[at] = 1;
        open.push(at);
      }
    };
    visit(start, true);
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const [x, y] = [at % width, Math.floor(at / width)];
      [x0, y0, x1, y1] = [
        Math.min(x0, x),
        Math.min(y0, y),
        Math.max(x1, x + 1),
        Math.max(y1, y + 1),
      ];
      pixels += 1;
      visit(at - 1, x > 0);
      visit(at + 1, x + 1 < width);
      visit(at - width, y > 0);
      visit(at + width, y + 1 < height);
    }
    const margin = outset * (pixels / edges);
    if (pixels >= minPixels) boxes.push([x0 - margin, y0 - margin, x1 + margin, y1 + margin]);
  }
  return boxes;
}
