import { deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { type Maker, textOfLine } from '../../../test/support/corpus/maker.ts';
import type { Grey } from '../../../test/support/corpus/pictures.ts';
import {
  png,
  pngChunk,
  rawExif,
  segment,
  withChunks,
  withExif,
  withSegments,
  withWebpChunk,
} from '../../../test/support/pictures.ts';
import { printLines } from '../pdf/page.ts';
import { type BuiltFile, makeLines, type Trick, trickTypes } from '../trick.ts';
import { blankCopy, frames, plainPicture, printLetters, rgba } from './pixels.ts';
import { deflateRows, encodeAnimated, encodePaletted } from './png.ts';

type Mime = 'image/png' | 'image/jpeg' | 'image/webp' | 'image/tiff';

/** The picture as any program would store it. */
async function encodeHonestly(grey: Grey, mime: Mime): Promise<Buffer> {
  const picture = plainPicture(grey);
  if (mime === 'image/png') return picture.png().toBuffer();
  if (mime === 'image/jpeg') return picture.jpeg({ quality: 90 }).toBuffer();
  if (mime === 'image/webp') return picture.webp({ quality: 90 }).toBuffer();
  return picture.tiff({ compression: 'lzw' }).toBuffer();
}

/** A trick with the storage of a picture's pixels. */
function storageTrick(
  name: string,
  mime: Mime,
  store: (grey: Grey, maker: Maker) => Buffer | Promise<Buffer>,
): Trick {
  return {
    name: `${mime.slice('image/'.length)} ${name}`,
    async build(maker, isHonest): Promise<BuiltFile> {
      const grey = await printLetters(maker, name);
      return { mime, bytes: await (isHonest ? encodeHonestly(grey, mime) : store(grey, maker)) };
    },
  };
}

type Colour = Parameters<typeof rgba>[1];
/** Pixels that are visible only on one background, or only in one channel. */
const colours: Record<string, Colour> = {
  'white on clear': (grey) => [255, 255, 255, 255 - grey],
  'black without alpha': (grey) => (grey < 128 ? [0, 0, 0, 0] : [255, 255, 255, 255]),
  'black under clear': (grey) => [grey, grey, grey, 0],
  'faint alpha': (grey) => [0, 0, 0, Math.round((255 - grey) * 0.12)],
  'letters cut out of white': (grey) => [255, 255, 255, grey],
  'letters in blue alone': (grey) => [255, 255, 120 + Math.round((135 * grey) / 255), 255],
  'nearly white': (grey) => [225 + Math.round((30 * grey) / 255), 255, 255, 255],
};
const colourTricks = Object.entries(colours).flatMap(([name, colour]) => [
  storageTrick(name, 'image/png', (grey) => rgba(grey, colour).png().toBuffer()),
  storageTrick(name, 'image/webp', (grey) =>
    rgba(grey, colour).webp({ lossless: true, exact: true }).toBuffer(),
  ),
  storageTrick(name, 'image/tiff', (grey) =>
    rgba(grey, colour).tiff({ compression: 'lzw' }).toBuffer(),
  ),
]);

/** Letters in a frame that many programs do not show. */
const animations: readonly Trick[] = [
  storageTrick('second frame', 'image/png', (grey) => encodeAnimated(blankCopy(grey), grey, false)),
  storageTrick('frame of the animation alone', 'image/png', (grey) =>
    encodeAnimated(blankCopy(grey), grey, true),
  ),
  storageTrick('frame outside of the animation', 'image/png', (grey) =>
    encodeAnimated(grey, blankCopy(grey), true),
  ),
  storageTrick('second frame', 'image/webp', (grey) =>
    frames([blankCopy(grey), grey])
      .webp({ lossless: true, loop: 0, delay: [500, 500] })
      .toBuffer(),
  ),
  storageTrick('second page', 'image/tiff', (grey) =>
    frames([blankCopy(grey), grey])
      .tiff({ compression: 'lzw' })
      .toBuffer(),
  ),
  storageTrick('third page', 'image/tiff', (grey) =>
    frames([blankCopy(grey), blankCopy(grey), grey])
      .tiff({ compression: 'deflate' })
      .toBuffer(),
  ),
];

/** The EXIF orientation, with pixels stored so that they display upright. */
const orientations: Record<number, (grey: Grey) => Sharp> = {
  2: (grey) => plainPicture(grey).flop(),
  3: (grey) => plainPicture(grey).rotate(180),
  4: (grey) => plainPicture(grey).flip(),
  6: (grey) => plainPicture(grey).rotate(270),
  8: (grey) => plainPicture(grey).rotate(90),
};
const orientationTricks = Object.entries(orientations).flatMap(([orientation, turn]) => {
  const rotated = async (grey: Grey) =>
    sharp(await turn(grey).png().toBuffer()).withMetadata({ orientation: Number(orientation) });
  return [
    storageTrick(`orientation ${orientation}`, 'image/jpeg', async (grey) =>
      (await rotated(grey)).jpeg({ quality: 92 }).toBuffer(),
    ),
    storageTrick(`orientation ${orientation}`, 'image/png', async (grey) =>
      (await rotated(grey)).png().toBuffer(),
    ),
    storageTrick(`orientation ${orientation}`, 'image/webp', async (grey) =>
      (await rotated(grey)).webp({ quality: 92 }).toBuffer(),
    ),
    storageTrick(`orientation ${orientation}`, 'image/tiff', async (grey) =>
      (await rotated(grey)).tiff({ compression: 'lzw' }).toBuffer(),
    ),
  ];
});

/** An EXIF block whose thumbnail is another picture. */
function thumbnailExif(jpeg: Buffer): Buffer {
  // The second directory, after a single entry in the first: the position of the thumbnail, and its
  // length.
  const first = 8 + 2 + 12 + 4;
  const table = Buffer.alloc(2 + 24 + 4);
  const data = first + table.length;
  table.writeUInt16LE(2, 0);
  [
    [0x0201, data],
    [0x0202, jpeg.length],
  ].forEach(([tag, value], at) => {
    table.writeUInt16LE(tag!, 2 + at * 12);
    table.writeUInt16LE(4, 4 + at * 12);
    table.writeUInt32LE(1, 6 + at * 12);
    table.writeUInt32LE(value!, 10 + at * 12);
  });
  return rawExif([[0x0112, 3, 1, 1]], first, Buffer.concat([table, jpeg]));
}

/** A blank picture with another picture in some part of its file. */
const embeddedTricks: readonly Trick[] = [
  storageTrick('thumbnail differs', 'image/jpeg', async (grey) => {
    const small = await plainPicture(grey).jpeg({ quality: 70 }).toBuffer();
    return withExif(await encodeHonestly(blankCopy(grey), 'image/jpeg'), thumbnailExif(small));
  }),
  storageTrick('second picture behind the end', 'image/jpeg', async (grey) =>
    Buffer.concat([
      await encodeHonestly(blankCopy(grey), 'image/jpeg'),
      await encodeHonestly(grey, 'image/jpeg'),
    ]),
  ),
  storageTrick('second picture behind the end', 'image/png', async (grey) =>
    Buffer.concat([
      await encodeHonestly(blankCopy(grey), 'image/png'),
      await encodeHonestly(grey, 'image/png'),
    ]),
  ),
  storageTrick('picture in a chunk', 'image/png', async (grey) =>
    withChunks(
      await encodeHonestly(blankCopy(grey), 'image/png'),
      pngChunk('prVW', await encodeHonestly(grey, 'image/jpeg')),
    ),
  ),
  storageTrick('picture in a chunk', 'image/webp', async (grey) =>
    withWebpChunk(
      await encodeHonestly(blankCopy(grey), 'image/webp'),
      'PRVW',
      await encodeHonestly(grey, 'image/jpeg'),
    ),
  ),
];

/** Words in the metadata of a picture that shows other values. */
function metadataTrick(
  name: string,
  mime: Mime,
  addText: (picture: Buffer, text: string) => Buffer,
): Trick {
  return {
    name: `${mime.slice('image/'.length)} ${name}`,
    async build(maker, isHonest) {
      const pixels = await printLines(maker, makeLines(maker, 'pixels'));
      const line = maker.line({ channel: name, page: 1, types: trickTypes });
      const picture = await encodeHonestly(pixels, mime);
      return { mime, bytes: isHonest ? picture : addText(picture, textOfLine(line)) };
    },
  };
}
const compressedText = (text: string): Buffer =>
  pngChunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(text)]));
const metadataTricks: readonly Trick[] = [
  metadataTrick('comment', 'image/jpeg', (picture, text) =>
    withSegments(picture, segment(0xfe, text)),
  ),
  metadataTrick('packet of XMP', 'image/jpeg', (picture, text) =>
    withSegments(picture, segment(0xe1, `http://ns.adobe.com/xap/1.0/\0<x><d>${text}</d></x>`)),
  ),
  metadataTrick('text', 'image/png', (picture, text) =>
    withChunks(picture, pngChunk('tEXt', Buffer.from(`Comment\0${text}`, 'latin1'))),
  ),
  metadataTrick('compressed text', 'image/png', (picture, text) =>
    withChunks(picture, compressedText(text)),
  ),
  metadataTrick('text behind the end', 'image/png', (picture, text) =>
    Buffer.concat([picture, Buffer.from(text)]),
  ),
  metadataTrick('packet of XMP', 'image/webp', (picture, text) =>
    withWebpChunk(picture, 'XMP ', Buffer.from(`<x><d>${text}</d></x>`)),
  ),
];

/** Other ways of storing the same pixels. */
const encodingTricks: readonly Trick[] = [
  storageTrick('palette of clear ink', 'image/png', (grey) =>
    encodePaletted(grey, Buffer.from([0, 0, 0, 255, 255, 255]), Buffer.from([0, 255])),
  ),
  storageTrick('palette of faint ink', 'image/png', (grey) =>
    encodePaletted(grey, Buffer.from([235, 235, 235, 255, 255, 255]), Buffer.from([255, 255])),
  ),
  storageTrick('one grey is clear', 'image/png', (grey) => {
    const data = Buffer.from(grey.data.map((value) => (value < 128 ? 7 : 255)));
    return png(grey, deflateRows({ ...grey, data }), [['tRNS', Buffer.from([0, 7])]]);
  }),
  storageTrick('16 bits', 'image/png', (grey) =>
    plainPicture(grey).toColourspace('grey16').png().toBuffer(),
  ),
  storageTrick('interlaced', 'image/png', (grey) =>
    plainPicture(grey).png({ progressive: true }).toBuffer(),
  ),
  storageTrick('palette', 'image/png', (grey) =>
    plainPicture(grey).png({ palette: true, colours: 4 }).toBuffer(),
  ),
  storageTrick('gamma', 'image/png', async (grey) => {
    const gamma = Buffer.alloc(4);
    gamma.writeUInt32BE(1_000_000, 0);
    return withChunks(
      await rgba(grey, (value) => [200 + Math.round(value * 0.2), 255, 255, 255])
        .removeAlpha()
        .png()
        .toBuffer(),
      pngChunk('gAMA', gamma),
    );
  }),
  storageTrick('CMYK', 'image/jpeg', (grey) =>
    plainPicture(grey).toColourspace('cmyk').jpeg({ quality: 90 }).toBuffer(),
  ),
  storageTrick('progressive', 'image/jpeg', (grey) =>
    plainPicture(grey).jpeg({ progressive: true }).toBuffer(),
  ),
  storageTrick('profile of its own', 'image/jpeg', (grey) =>
    rgba(grey, (value) => [value, value, value, 255])
      .removeAlpha()
      .withIccProfile('p3')
      .jpeg({ quality: 90 })
      .toBuffer(),
  ),
  storageTrick('profile of its own', 'image/png', (grey) =>
    rgba(grey, (value) => [value, value, value, 255])
      .withIccProfile('p3')
      .png()
      .toBuffer(),
  ),
  storageTrick('bilevel', 'image/tiff', (grey) =>
    plainPicture(grey).threshold(128).tiff({ compression: 'ccittfax4', bitdepth: 1 }).toBuffer(),
  ),
  storageTrick('white is zero', 'image/tiff', (grey) =>
    plainPicture(grey).tiff({ compression: 'deflate', miniswhite: true }).toBuffer(),
  ),
  storageTrick('tiles', 'image/tiff', (grey) =>
    plainPicture(grey)
      .tiff({ compression: 'lzw', tile: true, tileWidth: 64, tileHeight: 64 })
      .toBuffer(),
  ),
];

export const pictureTricks: readonly Trick[] = [
  ...colourTricks,
  ...animations,
  ...orientationTricks,
  ...embeddedTricks,
  ...metadataTricks,
  ...encodingTricks,
];
