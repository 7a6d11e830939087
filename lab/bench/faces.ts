import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { area, sharedArea } from '@scriptorium/documents/geometry';
import sharp from 'sharp';
import { findFaces } from '../../packages/documents/src/faces/index.ts';
import type { Box } from '../../packages/documents/src/results.ts';

/**
 * Measures the recall of the face detector: `node --import tsx/esm lab/bench/faces.ts FOLDER`. The
 * folder contains the pictures named in faces.json, each as SOURCE/FILE, where SOURCE is the first
 * word of `source`. Boxes of dlib's pictures are those of its training.xml and testing.xml; the
 * others were drawn by the detector at full size and checked by eye.
 */

interface Picture {
  source: string;
  file: string;
  boxes: Box[];
}

const minSide = 30;
const minShare = 0.6;

async function found(folder: string, { source, file, boxes }: Picture): Promise<[number, number]> {
  const path = join(folder, source.split(' ')[0] ?? '', file);
  const { data, info } = await sharp(path)
    .flatten({ background: '#ffffff' })
    .toColourspace('b-w')
    .extractChannel(0)
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const picture = { data, width: info.width, height: info.height };
  const faces = findFaces({ picture, toDisplay: [1, 0, 0, 1, 0, 0] }, []);
  const large = boxes.filter(([x0, y0, x1, y1]) => Math.min(x1 - x0, y1 - y0) >= minSide);
  const covered = large.filter((box) =>
    faces.some((face) => sharedArea(box, face.box) >= minShare * area(box)),
  );
  return [covered.length, large.length];
}

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Usage: faces.ts FOLDER');
const pictures: Picture[] = JSON.parse(
  readFileSync(new URL('./faces.json', import.meta.url), 'utf8'),
);
let [covered, total] = [0, 0];
for (const picture of pictures) {
  const [some, all] = await found(folder, picture);
  covered += some;
  total += all;
  process.stdout.write(`${picture.source}, ${picture.file}: ${some} of ${all}\n`);
}
process.stdout.write(`${covered} of ${total} faces\n`);
