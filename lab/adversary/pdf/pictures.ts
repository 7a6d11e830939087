import { drawText, type Maker, sheet, textOfLine } from '../../../test/support/corpus/maker.ts';
import { type PdfWriter, type Ref, ref } from '../../../test/support/corpus/pdf-writer.ts';
import { type Grey, storePicture } from '../../../test/support/corpus/pictures.ts';
import type { Trick } from '../trick.ts';
import { lowerHalf, paint, placePicture, printLines } from './page.ts';

const { width } = sheet;
const y = lowerHalf;
/** Darker pixels are ink. */
const inkThreshold = 128;

const invert = ({ data, ...rest }: Grey): Grey => ({
  ...rest,
  data: Buffer.from(data.map((value) => 255 - value)),
});
const filledWith = (grey: Grey, value: number): Grey => ({
  ...grey,
  data: Buffer.alloc(grey.data.length, value),
});

const imageOf = ({ width: across, height }: Grey, space: string): string =>
  `/Type /XObject /Subtype /Image /Width ${across} /Height ${height} /BitsPerComponent 8 /ColorSpace ${space}`;
const paletteOf = (grey: Grey, greys: string): string =>
  imageOf(grey, `[/Indexed /DeviceGray ${greys.length / 2 - 1} <${greys}>]`);

/** Three channels, each computed from a pixel's grey. */
async function storeColoured(
  writer: PdfWriter,
  grey: Grey,
  colour: (value: number) => readonly [number, number, number],
): Promise<{ image: Ref }> {
  const data = Buffer.from([...grey.data].flatMap((value) => colour(value)));
  return { image: writer.stream(imageOf(grey, '/DeviceRGB'), data) };
}

/** How a page shows a picture of lines. */
type Store = (maker: Maker, grey: Grey) => Promise<{ image: Ref; before?: string }>;

const storeMethods: Record<string, Store> = {
  // Black everywhere, with the letters only in the mask.
  'picture by its soft mask': async ({ writer }, grey) => {
    const mask = await storePicture(writer, invert(grey), 'png-grey');
    return storePicture(writer, filledWith(grey, 0), 'png-grey', `/SMask ${ref(mask.image)}`);
  },
  // White letters on transparency, which are visible on other backgrounds than paper.
  'white letters on clear': async ({ writer }, grey) => {
    const mask = await storePicture(writer, invert(grey), 'png-grey');
    return storePicture(writer, filledWith(grey, 255), 'png-grey', `/SMask ${ref(mask.image)}`);
  },
  'picture without alpha': async ({ writer }, grey) => {
    const mask = await storePicture(writer, filledWith(grey, 0), 'png-grey');
    return storePicture(writer, grey, 'png-grey', `/SMask ${ref(mask.image)}`);
  },
  'picture with faint alpha': async ({ writer }, grey) => {
    const mask = await storePicture(writer, filledWith(grey, 30), 'png-grey');
    return storePicture(writer, grey, 'png-grey', `/SMask ${ref(mask.image)}`);
  },
  'letters masked by colour': ({ writer }, grey) =>
    storePicture(writer, grey, 'png-grey', '/Mask [0 140]'),
  'picture decoded backwards': ({ writer }, grey) =>
    storePicture(writer, invert(grey), 'png-grey', '/Decode [1 0]'),
  'picture decoded to white': ({ writer }, grey) =>
    storePicture(writer, grey, 'png-grey', '/Decode [1 1]'),
  'picture as a stencil': async ({ writer }, grey) => {
    const stored = await storePicture(writer, grey, 'bilevel');
    writer.replace(stored.image, '/ColorSpace /DeviceGray', '/ImageMask true');
    return { ...stored, before: '0 g' };
  },
  'stencil in white': async ({ writer }, grey) => {
    const stored = await storePicture(writer, grey, 'bilevel');
    writer.replace(stored.image, '/ColorSpace /DeviceGray', '/ImageMask true');
    return { ...stored, before: '1 g' };
  },
  // Samples that hardly differ but are far apart after the colour lookup.
  'picture by its palette': ({ writer }, grey) => {
    const data = Buffer.from(grey.data.map((value) => (value < inkThreshold ? 8 : 9)));
    const greys = `${'ff'.repeat(8)}00ff`;
    return Promise.resolve({ image: writer.stream(paletteOf(grey, greys), data) });
  },
  'picture with a palette of white': ({ writer }, grey) => {
    const data = Buffer.from(grey.data.map((value) => (value < inkThreshold ? 1 : 9)));
    return Promise.resolve({ image: writer.stream(paletteOf(grey, 'ff'.repeat(10)), data) });
  },
  'picture by a tint': ({ writer }, grey) => {
    const tint = writer.stream(
      '/FunctionType 4 /Domain [0 1] /Range [0 1]',
      '{ 0.5 gt { 0 } { 1 } ifelse }',
    );
    const data = Buffer.from(grey.data.map((value) => (value < inkThreshold ? 160 : 96)));
    const space = `[/Separation /Spot /DeviceGray ${ref(tint)}]`;
    return Promise.resolve({ image: writer.stream(imageOf(grey, space), data) });
  },
  // Letters in one channel, or in ink that is hardly darker than its background.
  'picture in blue alone': ({ writer }, grey) =>
    storeColoured(writer, grey, (value) => [255, 255, 120 + Math.round((135 * value) / 255)]),
  'picture nearly white': ({ writer }, grey) =>
    storeColoured(writer, grey, (value) => [225 + Math.round((30 * value) / 255), 255, 255]),
  'picture with an alternate': async ({ writer }, grey) => {
    const other = await storePicture(writer, grey, 'jpeg-grey');
    const alternates = `/Alternates [<< /Image ${ref(other.image)} /DefaultForPrinting true >>]`;
    return storePicture(writer, filledWith(grey, 255), 'png-grey', alternates);
  },
};
const storedTricks = Object.entries(storeMethods).map(([name, store]) =>
  paint(name, async ({ maker, lines, honest: isHonest }) => {
    const grey = await printLines(maker, lines);
    const { image, before = '' } = isHonest
      ? { ...(await storePicture(maker.writer, grey, 'png-grey')) }
      : await store(maker, grey);
    return {
      content: `q ${before}\n${placePicture('Im1', grey)}Q\n`,
      resources: `/XObject << /Im1 ${ref(image)} >>`,
    };
  }),
);

/** Part of a picture. */
function cropGrey({ data, width: wide }: Grey, left: number, top: number, size: number[]): Grey {
  const [across, down] = [size[0]!, size[1]!];
  const part = Buffer.alloc(across * down);
  for (let row = 0; row < down; row += 1) {
    data.copy(part, row * across, (top + row) * wide + left, (top + row) * wide + left + across);
  }
  return { data: part, width: across, height: down };
}

/** A picture as hundreds of small ones. */
const tileTricks = [24, 9].map((side) =>
  paint(`pictures of ${side} pixels`, async ({ maker, lines, honest: isHonest }) => {
    const grey = await printLines(maker, lines, { dpi: 100 });
    const scale = width / grey.width;
    const top = y + 40;
    if (isHonest) {
      const { image } = await storePicture(maker.writer, grey, 'png-grey');
      const resources = `/XObject << /Im1 ${ref(image)} >>`;
      return { content: placePicture('Im1', grey), resources };
    }
    const names: string[] = [];
    let content = '';
    for (let down = 0; down < grey.height; down += side) {
      for (let left = 0; left < grey.width; left += side) {
        const size = [Math.min(side, grey.width - left), Math.min(side, grey.height - down)];
        const tile = cropGrey(grey, left, down, size);
        if (!tile.data.some((value) => value < 200)) continue;
        const { image } = await storePicture(maker.writer, tile, 'png-rgb');
        const name = `T${names.length}`;
        names.push(`/${name} ${ref(image)}`);
        const [wide, high] = [tile.width * scale, tile.height * scale];
        content += `q ${wide.toFixed(3)} 0 0 ${high.toFixed(3)} ${(left * scale).toFixed(3)} ${(top - (down + tile.height) * scale).toFixed(3)} cm /${name} Do Q\n`;
      }
    }
    return { content, resources: `/XObject << ${names.join(' ')} >>` };
  }),
);

/** Letters of small black rectangles. */
const rectangles = paint(
  'letters of rectangles',
  async ({ maker, lines, font, honest: isHonest }) => {
    if (isHonest) return { content: drawText(lines, { font, y }) };
    const grey = await printLines(maker, lines, { dpi: 110 });
    const scale = width / grey.width;
    let content = '0 g\n';
    for (let row = 0; row < grey.height; row += 1) {
      for (let left = 0; left < grey.width; left += 1) {
        if ((grey.data[row * grey.width + left] ?? 255) >= inkThreshold) continue;
        let right = left;
        while (right < grey.width && (grey.data[row * grey.width + right] ?? 255) < inkThreshold)
          right += 1;
        content += `${(left * scale).toFixed(2)} ${(y + 40 - (row + 1) * scale).toFixed(2)} ${((right - left) * scale).toFixed(2)} ${scale.toFixed(2)} re\n`;
        left = right;
      }
    }
    return { content: `${content}f\n` };
  },
);

/** A scan under invisible text, as a recogniser produces it, that differs from the scan. */
const falseLayerTricks = ['3 Tr', '/G1 gs'].map((hidden, at) =>
  paint(`text layer lies ${at + 1}`, async ({ maker, lines, font, honest: isHonest }) => {
    const grey = await printLines(maker, lines);
    const { image } = await storePicture(maker.writer, grey, 'jpeg-grey');
    const layerLines = isHonest
      ? lines
      : lines.map((line) =>
          maker.plain(maker.filler(Math.max(3, Math.round(textOfLine(line).length / 9)))),
        );
    return {
      content: `${placePicture('Im1', grey)}q ${drawText(layerLines, { font, y, before: hidden })}Q\n`,
      resources: `/XObject << /Im1 ${ref(image)} >> /ExtGState << /G1 << /ca 0 >> >>`,
    };
  }),
);

/** A picture of which the page shows only a part without letters. */
const croppedPicture = paint(
  'picture shown in part',
  async ({ maker, lines, honest: isHonest }) => {
    const grey = await printLines(maker, lines);
    const { image } = await storePicture(maker.writer, grey, 'jpeg-grey');
    const clip = isHonest ? '' : `0 0 ${width} 30 re W n`;
    return {
      content: `q ${clip}\n${placePicture('Im1', grey)}Q\n`,
      resources: `/XObject << /Im1 ${ref(image)} >>`,
    };
  },
);

/** A picture within the content stream. */
const inlinePicture = paint(
  'picture in the content',
  async ({ maker, lines, font, honest: isHonest }) => {
    if (isHonest) return { content: drawText(lines, { font, y }) };
    const grey = await printLines(maker, lines, { dpi: 110 });
    const heightPt = (grey.height / grey.width) * width;
    const samples = Buffer.from(grey.data).toString('hex');
    return {
      content: `q ${width} 0 0 ${heightPt.toFixed(2)} 0 ${(y + 40 - heightPt).toFixed(2)} cm BI /W ${grey.width} /H ${grey.height} /CS /G /BPC 8 /F /AHx ID\n${samples}>\nEI Q\n`,
    };
  },
);

/** A page's preview with content that the page does not show. */
const thumbnail = paint('thumbnail differs', async ({ maker, lines, font, honest: isHonest }) => {
  const grey = await printLines(maker, lines, { dpi: 120 });
  const { image } = await storePicture(maker.writer, grey, 'png-grey');
  return isHonest
    ? { content: drawText(lines, { font, y }) }
    : { content: '', extra: `/Thumb ${ref(image)}` };
});

/** A picture above white text in the same place, and the reverse. */
const pictureOver = paint(
  'text below a picture',
  async ({ maker, lines, font, honest: isHonest }) => {
    const grey = filledWith(await printLines(maker, lines), 255);
    const { image } = await storePicture(maker.writer, grey, 'png-grey');
    const [text, picture] = [drawText(lines, { font, y }), placePicture('Im1', grey)];
    return {
      content: isHonest ? picture + text : text + picture,
      resources: `/XObject << /Im1 ${ref(image)} >>`,
    };
  },
);

export const pdfPictureTricks: readonly Trick[] = [
  ...storedTricks,
  ...tileTricks,
  rectangles,
  ...falseLayerTricks,
  croppedPicture,
  inlinePicture,
  thumbnail,
  pictureOver,
];
