import { expect } from 'chai';
import type { PagePicture } from '../../../packages/documents/src/ocr/pictures/picture.ts';
import { recognisePicture } from '../../../packages/documents/src/ocr/recognise-picture.ts';
import type { Hocr } from '../../../packages/documents/src/ocr/tesseract/hocr.ts';
import type { Tesseract } from '../../../packages/documents/src/ocr/tesseract/recogniser.ts';

/** A square inch with some content, from a scan at 300 dpi. */
async function picture(dpi: number): Promise<PagePicture> {
  const data = new Uint8Array(dpi * dpi).fill(255);
  data.fill(0, 0, data.length / 2);
  return { data, width: dpi, height: dpi, dpi, usedDpi: dpi, finestDpi: 300, box: [0, 0, 72, 72] };
}

/** A line of words with these confidences. */
function lineOf(confidences: readonly number[]): Hocr {
  const words = confidences.map((confidence, index) => ({
    text: 'word',
    box: [index * 10, 0, index * 10 + 8, 12] as [number, number, number, number],
    confidence,
    line: 0,
  }));
  const line = {
    box: [0, 0, 100, 12] as [number, number, number, number],
    slope: 0,
    baseline: 10,
    size: 14,
    xHeight: 10,
    descenders: 2,
    textAngle: 0,
    paragraph: true,
  };
  return { words, lines: [line] };
}

const repeat = (confidence: number, times: number): number[] =>
  Array.from({ length: times }, () => confidence);

describe('a page with an illegible part', () => {
  const read = async (readings: readonly Hocr[]) => {
    const seen: (number | undefined)[] = [];
    const tesseract: Tesseract = {
      warmUp: async () => undefined,
      recognise: async ({ dpi }) => {
        seen.push(dpi);
        return readings[seen.length - 1] ?? { words: [], lines: [] };
      },
      detectOrientation: async () => undefined,
    };
    const { words } = await recognisePicture(tesseract, picture, ['eng'], 'test');
    return { seen, confidences: words.map(({ confidence }) => confidence) };
  };

  it('is recognised again at a higher resolution, and the better words are kept', async () => {
    const coarse = lineOf([...repeat(0.95, 50), 0, 0.2]);
    const fine = lineOf(repeat(0.95, 52));
    const { seen, confidences } = await read([coarse, fine]);
    expect(seen).to.deep.equal([170, 300]);
    expect(confidences).to.deep.equal(repeat(0.95, 52));
  });

  it('keeps the first result if the second is not better', async () => {
    const coarse = lineOf([...repeat(0.95, 50), 0, 0.2]);
    const { confidences } = await read([coarse, lineOf(repeat(0.5, 52))]);
    expect(confidences).to.have.length(52).and.include(0.2);
  });

  it('is recognised once if few words are garbled', async () => {
    const { seen } = await read([lineOf([...repeat(0.95, 120), 0])]);
    expect(seen).to.deep.equal([170]);
  });
});
