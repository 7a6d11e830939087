import { PDFDocument, StandardFonts } from 'pdf-lib';
import sharp from 'sharp';
import { rasterOf } from '../../../test/support/samples.ts';

/** A generated PDF, and the words printed on it. */
export interface Scan {
  pdf: Buffer;
  words: string[];
}

const a4 = { width: 595, height: 842 };
const margin = 60;
const fontSize = 11;
const lineHeight = 16;
const vocabulary =
  `invoice delivery harbour seventeen copper lantern between quarter window morning agreement the of
  and to in a is that payment received without further notice within thirty days following account
  please return signed copy office manager warehouse number contract supplier granite yellow station
  letter regarding your order dated material which could not be shipped before next Thursday because
  winter storage river bridge paper machine annual report summary revenue garden insurance policy`
    .split(/\s+/)
    .filter((word) => word !== '');

/** Random numbers below one, determined by the seed. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

/**
 * A4 pages of text, as from an office program. The seed determines the words.
 * @param heading printed above the text of each page
 */
export async function makeTextPages(pages: number, seed: number, heading?: string): Promise<Scan> {
  const random = createRandom(seed);
  const document = await PDFDocument.create({ updateMetadata: false });
  const font = await document.embedFont(StandardFonts.TimesRoman);
  const words: string[] = [];
  for (let number = 0; number < pages; number++) {
    const page = document.addPage([a4.width, a4.height]);
    if (heading) page.drawText(heading, { x: margin, y: a4.height - 40, size: fontSize, font });
    for (let y = a4.height - margin; y > margin; y -= lineHeight) {
      let line = '';
      for (;;) {
        const word = vocabulary[Math.floor(random() * vocabulary.length)]!;
        const longer = line === '' ? word : `${line} ${word}`;
        if (font.widthOfTextAtSize(longer, fontSize) > a4.width - 2 * margin) break;
        line = longer;
        words.push(word);
      }
      page.drawText(line, { x: margin, y, size: fontSize, font });
    }
  }
  return { pdf: Buffer.from(await document.save()), words };
}

/**
 * A4 pages as from an office scanner: 200 dpi, grey, some noise, JPEG, no text layer. The seed
 * determines the words.
 */
export async function makeScan(pages: number, seed: number, dpi = 200): Promise<Scan> {
  const { pdf: bytes, words } = await makeTextPages(pages, seed);
  const scan = await PDFDocument.create({ updateMetadata: false });
  for (let number = 1; number <= pages; number++) {
    const { data, width, height, channels } = await rasterOf(bytes, number, dpi);
    const noise = await sharp({
      create: {
        width,
        height,
        channels: 3,
        background: '#808080',
        noise: { type: 'gaussian', mean: 128, sigma: 12 },
      },
    })
      .png()
      .toBuffer();
    const jpeg = await sharp(data, { raw: { width, height, channels } })
      .flatten({ background: '#ffffff' })
      .composite([{ input: noise, blend: 'soft-light' }])
      .greyscale()
      .blur(0.5)
      .jpeg({ quality: 80 })
      .toBuffer();
    const image = await scan.embedJpg(jpeg);
    scan.addPage([a4.width, a4.height]).drawImage(image, { x: 0, y: 0, ...a4 });
  }
  return { pdf: Buffer.from(await scan.save()), words };
}

/** The share of the printed words that a text contains, each counted as often as it was printed. */
export function shareOfWordsFound(printed: readonly string[], text: string): number {
  const found = new Map<string, number>();
  for (const word of text.split(/[^A-Za-z]+/)) found.set(word, (found.get(word) ?? 0) + 1);
  let count = 0;
  for (const word of printed) {
    const remaining = found.get(word) ?? 0;
    if (remaining === 0) continue;
    count += 1;
    found.set(word, remaining - 1);
  }
  return count / printed.length;
}

/** A small photo-like picture, different for every seed. */
export async function makePicture(seed: number, format: 'png' | 'jpeg'): Promise<Buffer> {
  const random = createRandom(seed + 1);
  const colour = () => `rgb(${[0, 0, 0].map(() => Math.floor(random() * 256)).join(',')})`;
  const shapes = Array.from({ length: 12 }, () => {
    const [x, y, r] = [random() * 640, random() * 480, 20 + random() * 120];
    return `<circle cx="${x}" cy="${y}" r="${r}" fill="${colour()}"/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480">
    <rect width="640" height="480" fill="${colour()}"/>${shapes.join('')}</svg>`;
  return sharp(Buffer.from(svg)).toFormat(format).toBuffer();
}
