import { standardFont } from '../fonts.ts';
import { drawText, type Maker, sheet, type TextLine } from '../maker.ts';
import { ref } from '../pdf-writer.ts';
import { addScan, drawImage, imageResource, type ScanKind, type ScanOptions } from '../pictures.ts';
import type { Family } from './family.ts';

const kinds: readonly ScanKind[] = [
  'jpeg-grey',
  'jpeg-rgb',
  'png-grey',
  'png-rgb',
  'bilevel',
  'fax',
];
const resolutions = [150, 200, 300] as const;

/** Returns how the n-th scan of a family is made. */
function scanOptions(index: number, max = 300): ScanOptions {
  return {
    kind: kinds[index % kinds.length]!,
    dpi: Math.min(max, resolutions[Math.floor(index / 2) % 3]!),
    skew: [0, 0.5, -1, 0, 2, -0.7][(index * 5) % 6]!,
    noise: [4, 10, 16][index % 3]!,
  };
}

/** A page that is one picture of these lines. */
async function scanPage(maker: Maker, lines: readonly TextLine[], options: ScanOptions) {
  const stored = await addScan(maker.writer, lines, options, maker.pick);
  const { width = sheet.width, height = sheet.height } = options;
  maker.page(drawImage('Im1', 0, 0, width, height), { resources: imageResource('Im1', stored) });
  maker.requireKept(maker.pageCount, []);
}

const scans: Family = {
  name: 'scans',
  count: 30,
  async build(maker, index) {
    const options = scanOptions(index);
    const lines = maker.prose({ channel: `scan, ${options.kind}`, page: 1 }, 18, 3);
    await scanPage(maker, lines, options);
    return { pdf: maker.writer.toBuffer(maker.root().trailer) };
  },
};

/** A scan with the invisible text that a recogniser laid over it. */
const ocrLayers: Family = {
  name: 'ocr-layers',
  count: 12,
  async build(maker, index) {
    const font = standardFont(maker.writer, 'F1');
    const wish = { channel: 'scan with invisible text', page: 1 };
    const lines = maker.prose(wish, 14, 3);
    const options = { ...scanOptions(index, 200), skew: 0 };
    const stored = await addScan(maker.writer, lines, options, maker.pick);
    const layer = drawText(lines, { font, before: '3 Tr' });
    maker.requireKept(1, lines);
    maker.page(
      index % 2
        ? drawImage('Im1', 0, 0, sheet.width, sheet.height) + layer
        : layer + drawImage('Im1', 0, 0, sheet.width, sheet.height),
      { fonts: [font], resources: imageResource('Im1', stored) },
    );
    return { pdf: maker.writer.toBuffer(maker.root().trailer) };
  },
};

/** Text, and below it a picture of text. */
const mixed: Family = {
  name: 'mixed',
  count: 14,
  async build(maker, index) {
    const font = standardFont(maker.writer, 'F1');
    const text = maker.prose({ channel: 'text above a picture', page: 1 }, 10, 2);
    const shown = maker.prose({ channel: 'picture below text', page: 1 }, 8, 2);
    const options = { ...scanOptions(index), width: sheet.width, height: 220 };
    const stored = await addScan(maker.writer, shown, options, maker.pick);
    maker.requireKept(1, text);
    maker.page(drawText(text, { font }) + drawImage('Im1', 0, 40, sheet.width, 220), {
      fonts: [font],
      resources: imageResource('Im1', stored),
    });
    return { pdf: maker.writer.toBuffer(maker.root().trailer) };
  },
};

/** A picture larger than what is shown of it: the rest of it is still in the file. */
const croppedPictures: Family = {
  name: 'cropped-pictures',
  count: 6,
  async build(maker, index) {
    const font = standardFont(maker.writer, 'F1');
    const text = maker.prose({ channel: 'text above a cropped picture', page: 1 }, 8, 1);
    const seen = maker.prose({ channel: 'shown part of a picture', page: 1 }, 6, 1);
    const wish = { channel: 'hidden part of a picture', page: 1, findable: false };
    const hidden = maker.prose(wish, 6, 2);
    const options = { ...scanOptions(index * 2), skew: 0, width: sheet.width, height: 280 };
    const stored = await addScan(maker.writer, [...seen, ...hidden], options, maker.pick);
    maker.requireKept(1, text);
    // The clip ends between the sixth line and the seventh.
    const clip = `q 0 192 ${sheet.width} 200 re W n ${drawImage('Im1', 0, 40, sheet.width, 280)} Q\n`;
    maker.page(drawText(text, { font }) + clip, {
      fonts: [font],
      resources: imageResource('Im1', stored),
    });
    return { pdf: maker.writer.toBuffer(maker.root().trailer) };
  },
};

/** A picture inside a form, one behind a soft mask, and one that two pages share. */
const nestedPictures: Family = {
  name: 'nested-pictures',
  count: 6,
  async build(maker, index) {
    const { writer } = maker;
    const options = { ...scanOptions(index * 5 + 1, 200), skew: 0, height: 200 };
    const lines = maker.prose({ channel: 'picture in a form of two pages', page: 1 }, 7, 2);
    const stored = await addScan(writer, lines, options, maker.pick);
    const mask = writer.stream(
      '/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8',
      Buffer.from([255]),
      false,
    );
    const masked = await addScan(
      writer,
      maker.prose({ channel: 'picture with a soft mask', page: 2 }, 7, 2),
      { ...options, kind: 'jpeg-grey' },
      maker.pick,
    );
    writer.extend(masked.image, `/SMask ${ref(mask)}`);
    const form = writer.stream(
      `/Type /XObject /Subtype /Form /BBox [0 0 ${sheet.width} 200] /Resources << ${imageResource('Im1', stored)} >>`,
      drawImage('Im1', 0, 0, sheet.width, 200),
    );
    const resources = `/XObject << /Fm1 ${ref(form)} /Im2 ${ref(masked.image)} >>`;
    maker.page('q 1 0 0 1 0 340 cm /Fm1 Do Q\n', { resources });
    maker.page(`q 1 0 0 1 0 340 cm /Fm1 Do Q\n${drawImage('Im2', 0, 60, sheet.width, 200)}`, {
      resources,
    });
    maker.requireKept(2, []);
    return { pdf: writer.toBuffer(maker.root().trailer) };
  },
};

/** Scans that were fed sideways, on pages that are turned back. */
const turnedScans: Family = {
  name: 'turned-scans',
  count: 9,
  async build(maker, index) {
    const rotation = ([90, 180, 270] as const)[index % 3]!;
    const rotate = (360 - rotation) % 360;
    const options = { ...scanOptions(index, 200), turned: rotation };
    const lines = maker.prose({ channel: `scan turned by ${rotation}`, page: 1 }, 16, 3);
    const stored = await addScan(maker.writer, lines, options, maker.pick);
    const [width, height] =
      rotation === 180 ? [sheet.width, sheet.height] : [sheet.height, sheet.width];
    maker.page(drawImage('Im1', 0, 0, width, height), {
      resources: imageResource('Im1', stored),
      mediaBox: `0 0 ${width} ${height}`,
      extra: `/Rotate ${rotate}`,
    });
    maker.requireKept(1, []);
    return { pdf: maker.writer.toBuffer(maker.root().trailer) };
  },
};

export const pictureFamilies = [
  scans,
  ocrLayers,
  mixed,
  croppedPictures,
  nestedPictures,
  turnedScans,
];
