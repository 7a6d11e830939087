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
import { printed } from '../pdf/page.ts';
import { type Built, someLines, type Trick, types } from '../trick.ts';
import { blank, frames, lettersOf, opaque, rgba } from './pixels.ts';
import { animated, paletted, rows } from './png.ts';

type Mime = 'image/png' | 'image/jpeg' | 'image/webp' | 'image/tiff';

/** The picture as any program would store it. */
async function honestly(grey: Grey, mime: Mime): Promise<Buffer> {
  const picture = opaque(grey);
  if (mime === 'image/png') return picture.png().toBuffer();
  if (mime === 'image/jpeg') return picture.jpeg({ quality: 90 }).toBuffer();
  if (mime === 'image/webp') return picture.webp({ quality: 90 }).toBuffer();
  return picture.tiff({ compression: 'lzw' }).toBuffer();
}

/** A trick with the storage of a picture's pixels. */
function stored(
  name: string,
  mime: Mime,
  store: (grey: Grey, maker: Maker) => Buffer | Promise<Buffer>,
): Trick {
  return {
    name: `${mime.slice('image/'.length)} ${name}`,
    async build(maker, honest): Promise<Built> {
      const grey = await lettersOf(maker, name);
      return { mime, bytes: await (honest ? honestly(grey, mime) : store(grey, maker)) };
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
const coloured = Object.entries(colours).flatMap(([name, colour]) => [
  stored(name, 'image/png', (grey) => rgba(grey, colour).png().toBuffer()),
  stored(name, 'image/webp', (grey) =>
    rgba(grey, colour).webp({ lossless: true, exact: true }).toBuffer(),
  ),
  stored(name, 'image/tiff', (grey) => rgba(grey, colour).tiff({ compression: 'lzw' }).toBuffer()),
]);

/** Letters in a frame that many programs do not show. */
const animations: readonly Trick[] = [
  stored('second frame', 'image/png', (grey) => animated(blank(grey), grey, false)),
  stored('frame of the animation alone', 'image/png', (grey) => animated(blank(grey), grey, true)),
  stored('frame outside of the animation', 'image/png', (grey) =>
    animated(grey, blank(grey), true),
  ),
  stored('second frame', 'image/webp', (grey) =>
    frames([blank(grey), grey])
      .webp({ lossless: true, loop: 0, delay: [500, 500] })
      .toBuffer(),
  ),
  stored('second page', 'image/tiff', (grey) =>
    frames([blank(grey), grey])
      .tiff({ compression: 'lzw' })
      .toBuffer(),
  ),
  stored('third page', 'image/tiff', (grey) =>
    frames([blank(grey), blank(grey), grey])
      .tiff({ compression: 'deflate' })
      .toBuffer(),
  ),
];

/** The EXIF orientation, with pixels stored so that they display upright. */
const orientations: Record<number, (grey: Grey) => Sharp> = {
  2: (grey) => opaque(grey).flop(),
  3: (grey) => opaque(grey).rotate(180),
  4: (grey) => opaque(grey).flip(),
  6: (grey) => opaque(grey).rotate(270),
  8: (grey) => opaque(grey).rotate(90),
};
const turned = Object.entries(orientations).flatMap(([orientation, turn]) => {
  const turnedTo = async (grey: Grey) =>
    sharp(await turn(grey).png().toBuffer()).withMetadata({ orientation: Number(orientation) });
  return [
    stored(`orientation ${orientation}`, 'image/jpeg', async (grey) =>
      (await turnedTo(grey)).jpeg({ quality: 92 }).toBuffer(),
    ),
    stored(`orientation ${orientation}`, 'image/png', async (grey) =>
      (await turnedTo(grey)).png().toBuffer(),
    ),
    stored(`orientation ${orientation}`, 'image/webp', async (grey) =>
      (await turnedTo(grey)).webp({ quality: 92 }).toBuffer(),
    ),
    stored(`orientation ${orientation}`, 'image/tiff', async (grey) =>
      (await turnedTo(grey)).tiff({ compression: 'lzw' }).toBuffer(),
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
const carried: readonly Trick[] = [
  stored('thumbnail differs', 'image/jpeg', async (grey) => {
    const small = await opaque(grey).jpeg({ quality: 70 }).toBuffer();
    return withExif(await honestly(blank(grey), 'image/jpeg'), thumbnailExif(small));
  }),
  stored('second picture behind the end', 'image/jpeg', async (grey) =>
    Buffer.concat([await honestly(blank(grey), 'image/jpeg'), await honestly(grey, 'image/jpeg')]),
  ),
  stored('second picture behind the end', 'image/png', async (grey) =>
    Buffer.concat([await honestly(blank(grey), 'image/png'), await honestly(grey, 'image/png')]),
  ),
  stored('picture in a chunk', 'image/png', async (grey) =>
    withChunks(
      await honestly(blank(grey), 'image/png'),
      pngChunk('prVW', await honestly(grey, 'image/jpeg')),
    ),
  ),
  stored('picture in a chunk', 'image/webp', async (grey) =>
    withWebpChunk(
      await honestly(blank(grey), 'image/webp'),
      'PRVW',
      await honestly(grey, 'image/jpeg'),
    ),
  ),
];

/** Words in the metadata of a picture that shows other values. */
function said(name: string, mime: Mime, say: (picture: Buffer, text: string) => Buffer): Trick {
  return {
    name: `${mime.slice('image/'.length)} ${name}`,
    async build(maker, honest) {
      const shown = await printed(maker, someLines(maker, 'pixels'));
      const line = maker.line({ channel: name, page: 1, types });
      const picture = await honestly(shown, mime);
      return { mime, bytes: honest ? picture : say(picture, textOfLine(line)) };
    },
  };
}
const compressed = (text: string): Buffer =>
  pngChunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(text)]));
const spoken: readonly Trick[] = [
  said('comment', 'image/jpeg', (picture, text) => withSegments(picture, segment(0xfe, text))),
  said('packet of XMP', 'image/jpeg', (picture, text) =>
    withSegments(picture, segment(0xe1, `http://ns.adobe.com/xap/1.0/\0<x><d>${text}</d></x>`)),
  ),
  said('text', 'image/png', (picture, text) =>
    withChunks(picture, pngChunk('tEXt', Buffer.from(`Comment\0${text}`, 'latin1'))),
  ),
  said('compressed text', 'image/png', (picture, text) => withChunks(picture, compressed(text))),
  said('text behind the end', 'image/png', (picture, text) =>
    Buffer.concat([picture, Buffer.from(text)]),
  ),
  said('packet of XMP', 'image/webp', (picture, text) =>
    withWebpChunk(picture, 'XMP ', Buffer.from(`<x><d>${text}</d></x>`)),
  ),
];

/** Other ways of storing the same pixels. */
const forms: readonly Trick[] = [
  stored('palette of clear ink', 'image/png', (grey) =>
    paletted(grey, Buffer.from([0, 0, 0, 255, 255, 255]), Buffer.from([0, 255])),
  ),
  stored('palette of faint ink', 'image/png', (grey) =>
    paletted(grey, Buffer.from([235, 235, 235, 255, 255, 255]), Buffer.from([255, 255])),
  ),
  stored('one grey is clear', 'image/png', (grey) => {
    const data = Buffer.from(grey.data.map((value) => (value < 128 ? 7 : 255)));
    return png(grey, rows({ ...grey, data }), [['tRNS', Buffer.from([0, 7])]]);
  }),
  stored('16 bits', 'image/png', (grey) => opaque(grey).toColourspace('grey16').png().toBuffer()),
  stored('interlaced', 'image/png', (grey) => opaque(grey).png({ progressive: true }).toBuffer()),
  stored('palette', 'image/png', (grey) =>
    opaque(grey).png({ palette: true, colours: 4 }).toBuffer(),
  ),
  stored('gamma', 'image/png', async (grey) => {
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
  stored('CMYK', 'image/jpeg', (grey) =>
    opaque(grey).toColourspace('cmyk').jpeg({ quality: 90 }).toBuffer(),
  ),
  stored('progressive', 'image/jpeg', (grey) =>
    opaque(grey).jpeg({ progressive: true }).toBuffer(),
  ),
  stored('profile of its own', 'image/jpeg', (grey) =>
    rgba(grey, (value) => [value, value, value, 255])
      .removeAlpha()
      .withIccProfile('p3')
      .jpeg({ quality: 90 })
      .toBuffer(),
  ),
  stored('profile of its own', 'image/png', (grey) =>
    rgba(grey, (value) => [value, value, value, 255])
      .withIccProfile('p3')
      .png()
      .toBuffer(),
  ),
  stored('bilevel', 'image/tiff', (grey) =>
    opaque(grey).threshold(128).tiff({ compression: 'ccittfax4', bitdepth: 1 }).toBuffer(),
  ),
  stored('white is zero', 'image/tiff', (grey) =>
    opaque(grey).tiff({ compression: 'deflate', miniswhite: true }).toBuffer(),
  ),
  stored('tiles', 'image/tiff', (grey) =>
    opaque(grey).tiff({ compression: 'lzw', tile: true, tileWidth: 64, tileHeight: 64 }).toBuffer(),
  ),
];

export const pictureTricks: readonly Trick[] = [
  ...coloured,
  ...animations,
  ...turned,
  ...carried,
  ...spoken,
  ...forms,
];
