import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import sharp from 'sharp';
import { facesIn } from '../../../packages/documents/src/faces/index.ts';
import { photoAreas } from '../../../packages/documents/src/photos/areas.ts';

const portrait = new URL('../../support/faces/mona-lisa.jpg', import.meta.url);

async function drawPortrait(degrees = 0) {
  const { data, info } = await sharp(readFileSync(portrait))
    .rotate(degrees)
    .toColourspace('b-w')
    .extractChannel(0)
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

describe('the detector of faces', () => {
  it('finds a face in each orientation of a picture', async () => {
    for (const degrees of [0, 90, 180, 270]) {
      const faces = facesIn(await drawPortrait(degrees));
      expect(faces, `turned by ${degrees}`).to.have.length(1);
      expect(faces[0]!.score).to.be.greaterThan(0.65);
    }
  });

  it('searches only areas of continuous tone', async () => {
    const [width, height] = [600, 800];
    const data = new Uint8Array(width * height).fill(250);
    // Lines of print: dark and light pixels in rows of 10 with gaps of 14.
    for (let y = 400; y < 780; y += 24) {
      for (let row = y; row < y + 10; row += 1) {
        for (let x = 40; x < 560; x += 1) data[row * width + x] = x % 5 < 2 ? 20 : 240;
      }
    }
    expect(photoAreas({ data, width, height }, [])).to.deep.equal([]);
    const photo = await drawPortrait();
    for (let y = 0; y < 380; y += 1) {
      data.set(photo.data.subarray(y * photo.width, (y + 1) * photo.width), y * width + 100);
    }
    const areas = photoAreas({ data, width, height }, []);
    expect(Math.max(...areas.map((box) => box[3]))).to.be.lessThan(420);
    expect(Math.min(...areas.map((box) => box[0]))).to.be.lessThan(130);
  });
});
