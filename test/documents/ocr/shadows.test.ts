import { expect } from 'chai';
import sharp from 'sharp';
import { evenLighting } from '../../../packages/documents/src/ocr/pictures/lighting.ts';
import type { PagePicture } from '../../../packages/documents/src/ocr/pictures/picture.ts';
import { recognisePicture } from '../../../packages/documents/src/ocr/recognise-picture.ts';
import type { Hocr } from '../../../packages/documents/src/ocr/tesseract/hocr.ts';
import type {
  GreyPicture,
  Tesseract,
} from '../../../packages/documents/src/ocr/tesseract/recogniser.ts';
import { imageOf } from '../../support/samples.ts';

const dpi = 150;
const lines = [
  'The quick brown fox jumps over the lazy dog',
  'while seven wizards brew a bitter potion.',
  'Please send the invoice before Friday.',
];

/** A page of print whose light at `x`, from 0 to 1, is a share of the full one. */
async function pageIn(light: (x: number) => number): Promise<PagePicture> {
  const { data, info } = await sharp(await imageOf('png', lines, dpi))
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const shaded = Uint8Array.from({ length: width * height }, (_, at) =>
    Math.round((data[at * info.channels] ?? 0) * light((at % width) / width)),
  );
  const box: PagePicture['box'] = [0, 0, (width / dpi) * 72, (height / dpi) * 72];
  return { data: shaded, width, height, dpi, usedDpi: dpi, finestDpi: dpi, box };
}

describe('a page in a shadow', () => {
  it('is lit as evenly as one that is not, and keeps its ink', async () => {
    const lit = evenLighting(await pageIn((x) => 0.4 + 0.6 * x), dpi);
    if (!lit) throw new Error('The page counts as evenly lit.');
    const plain = await pageIn(() => 1);
    let [far, ink] = [0, 0];
    plain.data.forEach((tone, at) => {
      const now = lit.data[at] ?? 0;
      if (tone > 250 && now < 225) far += 1;
      if (tone < 20) ink = Math.max(ink, now);
    });
    expect(far).to.be.lessThan(0.02 * plain.data.length);
    expect(ink).to.be.lessThan(60);
  });

  it('is told from a page that is grey all over, or has a black bar', async () => {
    expect(evenLighting(await pageIn(() => 0.5), dpi)).to.equal(null);
    expect(evenLighting(await pageIn((x) => (x < 0.3 ? 0.02 : 1)), dpi)).to.equal(null);
  });

  type Seen = { picture: GreyPicture; darkest: number };

  /** Reads a page with a recogniser that returns these readings, one after the other. */
  async function read(page: PagePicture, readings: readonly (readonly string[])[]) {
    const seen: Seen[] = [];
    const tesseract: Tesseract = {
      warmUp: async () => undefined,
      recognise: async (picture) => {
        const paper = picture.data.filter((_, at) => at % picture.width < picture.width / 4);
        seen.push({ picture, darkest: paper[0] ?? 0 });
        return hocrOf(readings[seen.length - 1] ?? []);
      },
      detectOrientation: async () => undefined,
    };
    const { words } = await recognisePicture(tesseract, async () => page, ['eng'], 'test', false);
    return { seen, texts: words.map(({ text }) => text) };
  }

  /** A word on each line of its own, away from the print. */
  function hocrOf(texts: readonly string[]): Hocr {
    return {
      words: texts.map((text, line) => ({
        text,
        confidence: 0.9,
        line,
        box: [10, 500 + 30 * line, 60, 520 + 30 * line],
      })),
      lines: texts.map((_, line) => ({
        box: [10, 500 + 30 * line, 60, 520 + 30 * line],
        slope: 0,
        baseline: 515 + 30 * line,
        size: 20,
        xHeight: 12,
        descenders: 5,
        textAngle: 0,
        paragraph: true,
      })),
    };
  }

  it('is read again as if it were lit evenly, and the better reading is kept', async () => {
    const page = await pageIn((x) => 0.4 + 0.6 * x);
    const { seen, texts } = await read(page, [['half'], ['the', 'whole', 'line']]);
    expect(seen[1]?.darkest).to.be.greaterThan((seen[0]?.darkest ?? 255) + 80);
    expect(texts).to.include.members(['the', 'whole', 'line']);
    const worse = await read(page, [['the', 'whole', 'line'], ['half']]);
    expect(worse.texts).to.deep.equal(['the', 'whole', 'line']);
  });

  it('does not cost an evenly lit page a second reading of the whole', async () => {
    const page = await pageIn(() => 1);
    const { seen } = await read(page, [['half'], ['the', 'whole', 'line']]);
    const whole = seen.filter(({ picture }) => picture.height === page.height);
    expect(whole).to.have.length(1);
  });

  it('has lines that lean and were not read made level, and read by themselves', async () => {
    const flat = await pageIn(() => 1);
    const slope = 0.04;
    const data = new Uint8Array(flat.data.length).fill(255);
    for (let at = 0; at < data.length; at += 1) {
      const [x, y] = [at % flat.width, Math.floor(at / flat.width)];
      const from = y - Math.round(slope * x);
      if (from >= 0) data[at] = flat.data[from * flat.width + x] ?? 255;
    }
    const { seen, texts } = await read({ ...flat, data }, [['word'], ['missed']]);
    expect(texts).to.include.members(['word', 'missed']);
    const part = seen[1]?.picture;
    if (!part) throw new Error('The lines were not read again.');
    expect(part.height).to.be.lessThan(flat.height);
    // Between level lines there are rows of bare paper.
    const bare = Array.from({ length: part.height }, (_, y) =>
      part.data.subarray(y * part.width, (y + 1) * part.width).every((tone) => tone > 200),
    );
    const inked = bare.filter((one, y) => !one && bare[y - 1] !== false).length;
    expect(inked).to.be.at.least(lines.length);
  });
});
