import { expect } from 'chai';
import type { Fragment } from '../../../packages/documents/src/model/fragments.ts';
import type { PagePicture } from '../../../packages/documents/src/ocr/pictures/picture.ts';
import {
  printedWords,
  type Recognise,
} from '../../../packages/documents/src/redact/find/printed-words.ts';
import { type Mark, renderSheet } from '../../support/handwriting.ts';

const [width, height] = [90, 20];

/** A page with one word, at two pixels per point. */
async function pageWith(mark: Mark): Promise<{ word: Fragment; picture: PagePicture }> {
  const sheet = await renderSheet([mark], { width, height, dpi: 144 });
  const { data, info } = await sheet
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const pixels = info.width * info.height;
  const grey = Uint8Array.from({ length: pixels }, (_, at) => data[at * info.channels]!);
  const word: Fragment = {
    text: 'anna',
    confidence: 0.95,
    glyphs: null,
    box: [0, 0, width, height],
    source: 'ocr',
    visible: true,
    angle: 0,
    start: [0, 15],
    end: [width, 15],
    size: height,
    blankBefore: true,
    run: 1,
  };
  const size = { width: info.width, height: info.height };
  const picture = { data: grey, ...size, dpi: 144, usedDpi: 144, finestDpi: 144 };
  return { word, picture: { ...picture, box: [0, 0, width, height] } };
}

/** Reads the word as one text after the other, wherever it is repeated. */
function readingAs(...texts: readonly (readonly [text: string, confidence: number])[]): Recognise {
  return async () => {
    let next = 0;
    const words = [44, 58].flatMap((high, line) => {
      const wide = Math.round((width / height) * high);
      return [0, 1, 2, 3].map((column) => {
        const [x, y] = [40 + column * (wide + 18), 40 + line * (44 + 18)];
        const [text, confidence] = texts[next++ % texts.length]!;
        const box: [number, number, number, number] = [x + 20, y + 10, x + wide - 20, y + high - 4];
        return { text, confidence, box, line };
      });
    });
    return { words, lines: [] };
  };
}

const byHand: Mark = {
  kind: 'hand',
  text: 'anna',
  at: [15, 15],
  hand: { size: 7, slant: 0.2, jitter: 0.15, pen: 1.2, isJoined: true },
};

describe('a word that stands alone', () => {
  it('is print if its letters stand apart, and is not read again then', async () => {
    const never: Recognise = async () => expect.fail('A word in print was read again.');
    const mark: Mark = { kind: 'print', text: 'anna', at: [15, 15], size: 14 };
    const { word, picture } = await pageWith(mark);
    expect(await printedWords([word], picture, never)).to.deep.equal([word]);
    expect(await printedWords([], picture, never)).to.deep.equal([]);
  });

  it('is print if its letters are joined and it always reads the same', async () => {
    const { word, picture } = await pageWith(byHand);
    const read = readingAs(['anna', 0.7], ['Anna,', 0.95]);
    expect(await printedWords([word], picture, read)).to.deep.equal([word]);
  });

  it('is not print if it reads differently once, or is never sure, or is not read', async () => {
    const { word, picture } = await pageWith(byHand);
    const seven = Array.from({ length: 7 }, () => ['anna', 0.96] as const);
    for (const read of [
      readingAs(...seven, ['ama', 0.96]),
      readingAs(['anna', 0.85]),
      readingAs(['', 0]),
      async () => ({ words: [], lines: [] }),
    ]) {
      expect(await printedWords([word], picture, read)).to.deep.equal([]);
    }
  });
});
