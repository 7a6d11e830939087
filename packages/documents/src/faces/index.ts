import type { DrawnPage } from '../barcodes/index.ts';
import {
  applyToBox,
  area,
  intersection,
  invert,
  type Matrix,
  sharedArea,
  turn,
} from '../geometry.ts';
import type { GreyRaster } from '../ink/components.ts';
import { cropTo, type TileOptions, tilesOf } from '../networks/tiles.ts';
import { photoAreas } from '../photos/areas.ts';
import type { Box, Quarter } from '../results.ts';
import { FaceNetwork, sideUnit } from './network.ts';
import { halve, turnQuarter } from './pyramid.ts';

/** A face, or what may be one. */
export interface Face {
  /** The box around the head, in points of the page as displayed. */
  box: Box;
  /** 0–1. Above `sureScore`, it is rarely anything else. */
  score: number;
}

/** Minimum score of what may be a face. */
const minScore = 0.55;
/** Minimum score of what is rarely anything else. */
export const sureScore = 0.65;

/** Minimum side of a face in the picture that the network sees, in pixels. */
const minSide = 12;
/** Minimum longer side of a picture that the network sees. Faces in a smaller one are larger. */
const minLevel = 48;
/** Share of the smaller of two boxes above which they are the same face. */
const sameShare = 0.4;
/** Margins around the part of a face that the network marks, as shares of its sides. */
const margins = { side: 0.15, top: 0.35, bottom: 0.15 } as const;

/** The network reads the blank tone as 0. */
const tiles: TileOptions = {
  unit: sideUnit,
  maxSide: 12 * sideUnit,
  overlap: 2 * sideUnit,
  blankTone: 127,
};

const quarters: readonly Quarter[] = [0, 90, 180, 270];

let network: FaceNetwork | undefined;

/**
 * Finds the faces of a page. Pages without photographs are not searched.
 * @param page the page at about 150 dpi, where faces have at least 30 pixels
 * @param known boxes of text that was read, in points
 * @param orientation the clockwise turn that makes the text upright
 */
export function findFaces(
  { picture, toDisplay }: DrawnPage,
  known: readonly Box[],
  orientation: Quarter = 0,
): Face[] {
  const toPixels = invert(toDisplay);
  const knownPixels = known.map((box) => applyToBox(toPixels, box));
  const bounds: Box = [0, 0, picture.width, picture.height];
  return photoAreas(picture, knownPixels).flatMap((searched) => {
    const [x0, y0] = searched;
    const faces = facesIn(cropTo(picture, searched, tiles.blankTone), orientation);
    return faces.flatMap(({ box: [left, top, right, bottom], score }) => {
      const box = intersection([x0 + left, y0 + top, x0 + right, y0 + bottom], bounds);
      return box ? [{ score, box: applyToBox(toDisplay, box) }] : [];
    });
  });
}

/**
 * Finds the faces in a photograph, in its pixels. If none is upright, the photograph may lie on its
 * side. This is rare, so only faces of twice the minimum size are searched for then.
 */
export function facesIn(photo: GreyRaster, orientation: Quarter = 0): Face[] {
  const levels = [halve(photo)];
  for (let last = levels[0]; last && Math.max(last.width, last.height) >= 2 * minLevel; ) {
    last = halve(last);
    levels.push(last);
  }
  const upright = distinct(levels.flatMap((level) => facesAt(level, photo, orientation)));
  if (upright.some(({ score }) => score >= sureScore)) return upright;
  const others = quarters.filter((turned) => turned !== orientation);
  const smaller = levels.slice(levels.length > 1 ? 1 : 0);
  return distinct([
    ...upright,
    ...smaller.flatMap((level) => others.flatMap((turned) => facesAt(level, photo, turned))),
  ]);
}

/** Finds the faces in a reduced and turned photograph. */
function facesAt(level: GreyRaster, { width, height }: GreyRaster, degrees: Quarter): Face[] {
  network ??= new FaceNetwork();
  let turned = level;
  for (let left = degrees; left > 0; left -= 90) turned = turnQuarter(turned);
  const [scaleX, scaleY] = [width / level.width, height / level.height];
  const upright: Matrix = invert(turn(level.width, level.height, degrees));
  const faces: Face[] = [];
  for (const tile of tilesOf(turned, tiles)) {
    for (const { x, y, width: w, height: h, score } of network.look(tile.picture, minScore)) {
      if (Math.max(w, h) < minSide) continue;
      const [left, top, right, bottom] = applyToBox(upright, [
        tile.x + x - w * (0.5 + margins.side),
        tile.y + y - h * (0.5 + margins.top),
        tile.x + x + w * (0.5 + margins.side),
        tile.y + y + h * (0.5 + margins.bottom),
      ]);
      faces.push({ score, box: [left * scaleX, top * scaleY, right * scaleX, bottom * scaleY] });
    }
  }
  return faces;
}

/** Returns each face once, with its highest score. */
function distinct(faces: readonly Face[]): Face[] {
  const found: Face[] = [];
  for (const face of faces.toSorted((a, b) => b.score - a.score)) {
    const isKnown = found.some(
      ({ box }) => sharedArea(box, face.box) > sameShare * Math.min(area(box), area(face.box)),
    );
    if (!isKnown) found.push(face);
  }
  return found;
}
