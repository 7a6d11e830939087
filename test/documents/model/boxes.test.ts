import type { Box } from '@scriptorium/documents/results';
import { expect } from 'chai';
import { type PageModel, readPageText } from '../../../packages/documents/src/model/index.ts';
import { modelOfPdf, textOperators } from '../../support/page-model.ts';
import { handmadePdf, rasterOf } from '../../support/samples.ts';

/** The ink of a page, or its ink in one colour: a box in points. */
async function inkOf(pdf: Uint8Array, only: 'red' | 'black'): Promise<Box[]> {
  const dpi = 288;
  const { data, width, height, channels } = await rasterOf(pdf, 1, dpi);
  const points: Box[] = [];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * channels;
      const [r = 255, g = 255] = [data[at], data[at + 1]];
      const hit = only === 'red' ? r > 200 && g < 60 : r < 60 && g < 60;
      if (hit)
        points.push([(x / dpi) * 72, (y / dpi) * 72, ((x + 1) / dpi) * 72, ((y + 1) / dpi) * 72]);
    }
  }
  expect(points.length).to.be.greaterThan(20);
  return points;
}

const inside = (box: Box, [x0, y0, x1, y1]: Box): boolean => {
  const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
  return x >= box[0] && x <= box[2] && y >= box[1] && y <= box[3];
};

function boxesOf(model: PageModel, secret: string): Box[] {
  const text = readPageText(model);
  const at = text.text.indexOf(secret);
  expect(at, text.text).to.be.at.least(0);
  return text.locateSpan(at, at + secret.length).boxes;
}

describe('the boxes of a span', () => {
  /** The secret is red, everything else is black. */
  async function check(content: string, secret: string, options = {}, count = 1): Promise<void> {
    const pdf = handmadePdf(content, options);
    const boxes = boxesOf(await modelOfPdf(pdf), secret);
    expect(boxes).to.have.length(count);
    const open = (await inkOf(pdf, 'red')).filter((dot) => !boxes.some((box) => inside(box, dot)));
    expect(open, 'ink of the secret outside the boxes').to.have.length(0);
    const hit = (await inkOf(pdf, 'black')).filter((dot) => boxes.some((box) => inside(box, dot)));
    expect(hit, 'ink of neighbours inside the boxes').to.have.length(0);
  }
  const red = '1 0 0 rg';
  const black = '0 0 0 rg';

  it('cover a number without the word that it is part of', async () => {
    const content = `BT /F1 12 Tf 40 500 Td (SSN:) Tj ${red} (123-45-6789) Tj ${black} (, and) Tj ET`;
    await check(content, '123-45-6789');
  });

  it('are as high as the line where a font that is not embedded does not describe its letters', async () => {
    const letters = [...'John Smith was'];
    const codes = [...new Set(letters)];
    const codeOf = (letter: string): string =>
      (codes.indexOf(letter) + 1).toString(16).padStart(2, '0');
    const map = codes
      .map((letter) => `<${codeOf(letter)}> <00${letter.charCodeAt(0).toString(16)}>`)
      .join('\n');
    const unicode = `/CIDInit /ProcSet findresource begin begincmap
1 begincodespacerange <00> <FF> endcodespacerange
${codes.length} beginbfchar
${map}
endbfchar endcmap end`;
    const widths = codes.map(() => 500).join(' ');
    const text = letters.map(codeOf).join('');
    const pdf = handmadePdf(`BT /F2 12 Tf 40 500 Td <${text}> Tj ET`, {
      page: `/Resources << /Font << /F2 6 0 R >> >>`,
      objects: [
        `<< /Type /Font /Subtype /TrueType /BaseFont /BAAAAA+Made-Up /FirstChar 1 /LastChar ${codes.length} /Widths [${widths}] /FontDescriptor 7 0 R /ToUnicode 8 0 R >>`,
        '<< /Type /FontDescriptor /FontName /BAAAAA+Made-Up /Flags 4 /Ascent 0 /Descent 0 /CapHeight 980 /StemV 80 /ItalicAngle 0 /FontBBox [-176 -303 1005 981] >>',
        `<< /Length ${unicode.length} >>\nstream\n${unicode}\nendstream`,
      ],
    });
    const [box, ...more] = boxesOf(await modelOfPdf(pdf), 'John Smith');
    expect(more).to.have.length(0);
    expect((box?.[3] ?? 0) - (box?.[1] ?? 0)).to.be.greaterThan(0.8 * 12);
  });

  it('spare lines set tightly above and below', async () => {
    const tight = `${textOperators([
      [40, 512, 'gypsy jpq gypsy jpq gypsy'],
      [40, 488, 'HALF THE LINE IS Ab(d) HIGH'],
    ])} BT /F1 12 Tf 40 500 Td (who is) Tj ${red} ( John Smith) Tj ${black} ( there) Tj ET`;
    await check(tight, 'John Smith');
  });

  it('cover kerned runs on rotated pages and pages with an offset origin', async () => {
    const content = `BT /F1 12 Tf 140 300 Td (for ) Tj ${red} [(J)60(oh)-20(n Sm)25(ith)] TJ ${black} ( too) Tj ET`;
    for (const rotate of [0, 90, 180, 270]) {
      const page = `/Rotate ${rotate} /CropBox [100 50 400 500]`;
      await check(content, 'John Smith', { page });
    }
  });

  it('follow a value across a line break', async () => {
    const content = `BT /F1 12 Tf 14 TL 40 500 Td (a letter that was written by ) Tj ${red} (John) Tj T* (Smith) Tj ${black} (, whom no one had ever seen) Tj ET`;
    await check(content, 'John Smith', {}, 2);
  });

  it('cover slanted text in steps instead of one large box', async () => {
    const content = `BT /F1 12 Tf 0.966 0.259 -0.259 0.966 60 200 Tm (slanted: ) Tj ${red} (078-05-1120) Tj ${black} ET
      ${textOperators([[100, 260, 'straight']])}`;
    const pdf = handmadePdf(content);
    const boxes = boxesOf(await modelOfPdf(pdf), '078-05-1120');
    const open = (await inkOf(pdf, 'red')).filter((dot) => !boxes.some((box) => inside(box, dot)));
    expect(open).to.have.length(0);
    expect(boxes.length).to.be.greaterThan(2);
  });

  it('are the same for secrets of equal width and start at the pen position', async () => {
    const boxes = await Promise.all(
      ['111111', '784026'].map(async (secret) =>
        boxesOf(
          await modelOfPdf(handmadePdf(textOperators([[40, 500, `No ${secret} end`]]))),
          secret,
        ),
      ),
    );
    expect(boxes[0]).to.deep.equal(boxes[1]);
  });

  /** Words as Tesseract writes them under a scan: with a blank, and both as long as the word. */
  const layer = (
    words: readonly (readonly [x: number, y: number, word: string, length: number])[],
  ) => {
    const shown = words.map(([x, y, word, length]) => {
      const natural = (word.length + 1) * 0.6 * 10;
      return `BT 3 Tr 1 0 0 1 ${x} ${y} Tm /F2 10 Tf ${(length / natural) * 100} Tz [ (${word} ) ] TJ ET`;
    });
    const courier = '<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>';
    const page = '/Resources << /Font << /F1 5 0 R /F2 6 0 R >> >>';
    return handmadePdf(shown.join('\n'), { page, objects: [courier] });
  };

  it('cover the last letter of words that are stretched with the blank after them', async () => {
    const model = await modelOfPdf(
      layer([
        [60, 500, 'Anna', 30],
        [95, 500, 'Lindqvist', 62],
        [60, 480, 'wrote', 34],
        [99, 480, 'this', 24],
      ]),
    );
    const ends = ['Anna', 'Lindqvist', 'wrote', 'this'].map((word) =>
      Math.round(Math.max(...boxesOf(model, word).map(([, , x1]) => x1))),
    );
    expect(ends).to.deep.equal([90, 157, 94, 123]);
  });

  it('end with the letters of invisible words that have no blanks, or whole lines of them', async () => {
    const plain = `BT 3 Tr 1 0 0 1 60 500 Tm /F1 10 Tf (1111) Tj ET BT 3 Tr 1 0 0 1 95 500 Tm /F1 10 Tf (2222) Tj ET`;
    const line = `BT 3 Tr 1 0 0 1 60 500 Tm /F1 10 Tf (1111 2222 3333) Tj ET`;
    for (const content of [plain, line]) {
      const [box] = boxesOf(await modelOfPdf(handmadePdf(content)), '1111');
      expect(box?.[2]).to.be.closeTo(60 + 4 * 5.56, 1);
    }
  });
});
