import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { expect } from 'chai';
import sharp from 'sharp';
import {
  emptyRows,
  png,
  pngChunk,
  quarteredPicture,
  type RawEntry,
  rawExif,
  segment,
  withChunks,
  withExif,
  withSegments,
} from '../../support/pictures.ts';
import { failure, type ImagingFixture, openImagingFixture } from './fixture.ts';

describe('imaging of hostile pictures', () => {
  let fixture: ImagingFixture;
  let good: Buffer;
  let goodPng: Buffer;
  let server: Server;
  let requests = 0;
  let elsewhere: string;
  before(async () => {
    fixture = await openImagingFixture(700 * 2 ** 20);
    good = await quarteredPicture(80, 60).jpeg().toBuffer();
    goodPng = await quarteredPicture(80, 60).png().toBuffer();
    server = createServer((_request, response) => {
      requests += 1;
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    elsewhere = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(async () => {
    await fixture.close();
    await new Promise((resolve) => server.close(resolve));
  });
  // Whatever the test did, the next picture is read.
  afterEach(async () => {
    expect(await fixture.read(good, 'image/jpeg')).to.include({ width: 80, height: 60 });
  });

  const refused = async (bytes: Uint8Array, mime: string): Promise<string> => {
    const error = await failure(fixture.read(bytes, mime));
    expect(error.message).not.to.match(/\/tmp|file-|vips|glib|buffer/i);
    return error.code;
  };
  const drawing = (inner: string, attributes = 'width="64" height="64"', before = '') =>
    Buffer.from(
      `${before}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${inner}</svg>`,
    );

  describe('floods', () => {
    it('rejects a few bytes that claim 50,000 × 50,000 pixels', async () => {
      const flood = png({ width: 50_000, height: 50_000 }, emptyRows(10, 10));
      expect(flood.length).to.be.lessThan(200);
      expect(await refused(flood, 'image/png')).to.equal('too_many_pixels');
      const gif = Buffer.from(
        'GIF89a\xff\xff\xff\xff\0\0\0,\0\0\0\0\xff\xff\xff\xff\0\x02\x02D\x01\0;',
        'latin1',
      );
      expect(await refused(gif, 'image/gif')).to.equal('too_many_pixels');
      expect(
        await refused(drawing('', 'width="1000000" height="1000000"'), 'image/svg+xml'),
      ).to.equal('too_many_pixels');
    });

    it('reads a hundred kilobytes just below the limit or reports that it cannot', async () => {
      const bomb = png({ width: 10_000, height: 10_000 }, emptyRows(10_000, 10_000));
      expect(bomb.length).to.be.lessThan(200_000);
      expect(await fixture.read(bomb, 'image/png')).to.include({ width: 10_000, height: 10_000 });
    });

    it('kills a child that needs too much memory and reports it', async () => {
      const small = await openImagingFixture(300 * 2 ** 20);
      try {
        // Interlaced, so that all of its 512 MB are needed at once.
        const side = 8_000;
        const passes = [
          [8, 8],
          [8, 8],
          [4, 8],
          [4, 4],
          [2, 4],
          [2, 2],
          [1, 2],
        ] as const;
        const length = passes.reduce((sum, [x, y]) => sum + ((side / x) * 8 + 1) * (side / y), 0);
        const bytes = png(
          { width: side, height: side, depth: 16, colours: 6, interlaced: true },
          deflateSync(Buffer.alloc(length)),
        );
        const error = await failure(small.read(bytes, 'image/png'));
        expect(error.code).to.equal('memory_exceeded');
        expect(await small.read(good, 'image/jpeg')).to.include({ width: 80, height: 60 });
      } finally {
        await small.close();
      }
    });

    it('survives text and profiles that decompress endlessly', async () => {
      const zeros = deflateSync(Buffer.alloc(300 * 2 ** 20), { level: 9 });
      const text = Buffer.concat([Buffer.from('Comment\0\0', 'latin1'), zeros]);
      const bytes = withChunks(
        goodPng,
        pngChunk('iCCP', Buffer.concat([Buffer.from('icc\0\0', 'latin1'), zeros])),
        ...Array.from({ length: 20 }, () => pngChunk('zTXt', text)),
      );
      expect(await fixture.read(bytes, 'image/png')).to.include({ width: 80, height: 60 });
    });
  });

  describe('EXIF bombs', () => {
    const many = (entry: RawEntry, count: number): RawEntry[] => Array(count).fill(entry);
    const all = Buffer.alloc(40_000, 0x41);
    const bombs: Record<string, Buffer> = {
      'counts beyond all bytes': rawExif(many([0x010f, 2, 0xffffffff, 8], 4_000)),
      'counts up to the last byte': rawExif(many([0x9999, 1, 39_000, 4_000], 300), 8, all),
      'directories that follow themselves': rawExif(
        [
          [0x8769, 4, 1, 8],
          [0x8825, 4, 1, 8],
          [0xa005, 4, 1, 8],
        ],
        8,
      ),
      'a directory of 65,535 entries': Buffer.concat([
        Buffer.from('II*\0\x08\0\0\0\xff\xff', 'latin1'),
        Buffer.alloc(50_000, 7),
      ]),
      'offsets outside': rawExif([
        [0x8769, 4, 1, 0xfffffff0],
        [0x010f, 2, 100, 0xffffff00],
        [0x829a, 5, 1, 0x7fffffff],
      ]),
      nothing: Buffer.alloc(0),
      'unknown types': rawExif(many([0x010f, 99, 1, 1], 100)),
    };
    for (const [what, exif] of Object.entries(bombs)) {
      it(`reads a picture with ${what}`, async () => {
        for (const [bytes, mime] of [
          [withExif(good, exif), 'image/jpeg'],
          [withChunks(goodPng, pngChunk('eXIf', exif)), 'image/png'],
        ] as const) {
          const reading = await fixture.read(bytes, mime);
          expect(reading).to.include({ width: 80, height: 60, capturedAt: null, location: null });
        }
      });
    }

    // The EXIF library follows each pointer: a few kilobytes would keep it busy for minutes.
    const loop = many([0x8769, 4, 1, 8], 4_000);
    const below: RawEntry[] = [[0x8769, 4, 1, 26]];
    const endless: Record<string, Buffer> = {
      'thousands of pointers to itself': rawExif(loop),
      'thousands of pointers one directory below': Buffer.concat([
        rawExif(below),
        directory(many([0xa005, 4, 1, 26], 4_000)),
      ]),
      'thousands of pointers in the directory of the thumbnail': Buffer.concat([
        rawExif([[0x010f, 2, 1, 0x41]], 26),
        directory(loop),
      ]),
      'thousands of pointers, the other byte order': swapped(loop),
    };
    for (const [what, exif] of Object.entries(endless)) {
      it(`rejects a picture with ${what}`, async () => {
        const webp = await quarteredPicture(80, 60)
          .withExif({ IFD0: { Make: 'A' } })
          .webp()
          .toBuffer();
        for (const [bytes, mime] of [
          [withExif(good, exif), 'image/jpeg'],
          [withChunks(goodPng, pngChunk('eXIf', exif)), 'image/png'],
          [withWebpExif(webp, exif), 'image/webp'],
        ] as const) {
          expect(await refused(bytes, mime)).to.equal('damaged');
          expect((await failure(fixture.strip(bytes, mime))).code).to.equal('damaged');
        }
      });
    }

    it('does not examine endless EXIF headers', async () => {
      const heads = Buffer.from('II*\0\x08\0\0\0'.repeat(1_000_000), 'latin1');
      const bytes = withChunks(goodPng, pngChunk('eXIf', heads));
      expect(await refused(bytes, 'image/png')).to.equal('damaged');
    });

    it('reads a picture with megabytes of EXIF', async () => {
      const entries = many([0x010f, 1, 6_000_000, 20_000], 900);
      const exif = rawExif(entries, 8, Buffer.alloc(8_000_000, 0x42));
      const reading = await fixture.read(withChunks(goodPng, pngChunk('eXIf', exif)), 'image/png');
      expect(reading.width).to.equal(80);
    });
  });

  describe('drawings', () => {
    it('runs no scripts and fetches nothing', async () => {
      // Next to the drawing, where a relative reference would find it.
      await writeFile(
        join(fixture.folder, 'beside.png'),
        await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
          .png()
          .toBuffer(),
      );
      const beside = join(fixture.folder, 'beside.png');
      const hostile = drawing(
        `<script>fetch('${elsewhere}/script')</script>
         <style>@import url(${elsewhere}/style.css); rect { fill: url(${elsewhere}/fill.svg#f) }
           @font-face { font-family: F; src: url(${elsewhere}/font.woff) }</style>
         <image width="64" height="64" xlink:href="file://${beside}"/>
         <image width="64" height="64" href="beside.png"/>
         <image width="64" height="64" href="${elsewhere}/image.png"/>
         <use href="${elsewhere}/use.svg#a"/><use href="file:///etc/passwd#a"/>
         <foreignObject width="64" height="64"><iframe xmlns="http://www.w3.org/1999/xhtml" src="${elsewhere}/frame"/></foreignObject>
         <text font-family="F" y="9">.</text>
         <xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file:///etc/passwd" parse="text"/>`,
        'width="64" height="64" onload="alert(1)"',
        `<?xml version="1.0"?><?xml-stylesheet href="${elsewhere}/sheet.css"?>`,
      );
      const reading = await fixture.read(hostile, 'image/svg+xml');
      expect(reading.palette).to.deep.equal(['#ffffff']);
      expect(requests).to.equal(0);
    });

    it('does not read files through entities', async () => {
      for (const declared of [
        '<!ENTITY x SYSTEM "file:///etc/passwd">',
        `<!ENTITY % p SYSTEM "${elsewhere}/dtd">%p;<!ENTITY x "y">`,
      ]) {
        const hostile = drawing(
          '<text y="9">&x;</text>',
          'width="64" height="64"',
          `<!DOCTYPE svg [${declared}]>`,
        );
        const outcome = await fixture.read(hostile, 'image/svg+xml').then(
          () => 'read',
          (error: { code: string }) => error.code,
        );
        expect(outcome).to.be.oneOf(['read', 'damaged']);
      }
      expect(requests).to.equal(0);
    });

    it('rejects a billion laughs in entities and in elements', async () => {
      let declared = '<!ENTITY a0 "aaaaaaaaaa">';
      let groups = '<g id="g0"><rect width="1" height="1"/></g>';
      for (let level = 1; level < 12; level += 1) {
        declared += `<!ENTITY a${level} "${`&a${level - 1};`.repeat(10)}">`;
        groups += `<g id="g${level}">${`<use href="#g${level - 1}"/>`.repeat(10)}</g>`;
      }
      const laughs = drawing(
        '<text>&a11;</text>',
        'width="9" height="9"',
        `<!DOCTYPE svg [${declared}]>`,
      );
      expect(await refused(laughs, 'image/svg+xml')).to.equal('damaged');
      expect(await refused(drawing(groups), 'image/svg+xml')).to.equal('damaged');
    });
  });

  it('reads polyglot files as the picture', async () => {
    const page = '<html><script>alert(document.domain)</script></html>';
    const jpegAndHtml = Buffer.concat([
      withSegments(good, segment(0xfe, page)),
      Buffer.from(`${page}PK\u0003\u0004`),
    ]);
    const gif = await quarteredPicture(80, 60).gif().toBuffer();
    const gifAndScript = Buffer.concat([gif, Buffer.from('*/=1;alert(document.domain);')]);
    for (const [bytes, mime] of [
      [jpegAndHtml, 'image/jpeg'],
      [gifAndScript, 'image/gif'],
    ] as const) {
      const reading = await fixture.read(bytes, mime);
      expect(reading).to.include({ width: 80, height: 60 });
      for (const { path } of reading.renditions) {
        expect((await readFile(path)).includes('alert')).to.equal(false);
      }
    }
  });

  it('reports a truncated picture as damaged', async () => {
    const whole = await quarteredPicture(800, 600).jpeg().toBuffer();
    const wholePng = await quarteredPicture(800, 600).png().toBuffer();
    expect(await refused(whole.subarray(0, whole.length / 2), 'image/jpeg')).to.equal('damaged');
    expect(await refused(whole.subarray(0, 100), 'image/jpeg')).to.equal('damaged');
    expect(await refused(wholePng.subarray(0, wholePng.length / 2), 'image/png')).to.equal(
      'damaged',
    );
  });

  it('rejects empty files and files of another type than declared', async () => {
    expect(await refused(Buffer.alloc(0), 'image/png')).to.equal('empty');
    expect(await refused(good, 'image/png')).to.equal('unsupported');
    expect(await refused(drawing(''), 'image/jpeg')).to.equal('unsupported');
    expect(await refused(Buffer.from('just some text'), 'image/webp')).to.equal('unsupported');
    expect(await refused(Buffer.from('%PDF-1.7\n'), 'image/jpeg')).to.equal('unsupported');
    expect(await refused(good, 'application/pdf')).to.equal('unsupported');
    expect(
      await refused(Buffer.concat([good.subarray(0, 3), Buffer.alloc(500, 1)]), 'image/jpeg'),
    ).to.equal('damaged');
  });

  it('survives random changes to valid pictures', async () => {
    const kinds = [
      ['jpeg', 'image/jpeg'],
      ['webp', 'image/webp'],
      ['tiff', 'image/tiff'],
      ['gif', 'image/gif'],
    ] as const;
    let seed = 1;
    const random = (below: number): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    for (const [format, mime] of kinds) {
      const bytes = await quarteredPicture(24, 16).withMetadata()[format]().toBuffer();
      for (let round = 0; round < 40; round += 1) {
        const changed = Buffer.from(bytes);
        for (let at = 0; at < 6; at += 1) changed[random(changed.length)] = random(256);
        const outcome = await fixture.read(changed, mime).then(
          () => 'read',
          (error: { code: string }) => error.code,
        );
        expect(outcome).to.be.oneOf(['read', 'damaged', 'unsupported', 'too_many_pixels']);
      }
    }
  });

  it('writes only the requested files', async () => {
    const left = await readdir(fixture.folder, { recursive: true });
    const strange = left.filter(
      (name) =>
        !/^(file-\d+(\.(thumb|w\d+)\.(webp|avif))?|beside\.png|scriptorium-engine-imaging-[\w-]+(\/.*)?)$/.test(
          name,
        ),
    );
    expect(strange).to.deep.equal([]);
  });
});

/** An EXIF directory without the header before it. */
function directory(entries: readonly RawEntry[]): Buffer {
  return rawExif(entries).subarray(8);
}

/** EXIF in big-endian byte order. */
function swapped(entries: readonly RawEntry[]): Buffer {
  const bytes = rawExif(entries);
  bytes.write('MM\0*', 0, 'latin1');
  bytes.subarray(4, 8).swap32();
  bytes.subarray(8, 10).swap16();
  for (let at = 10; at + 12 <= bytes.length; at += 12) {
    bytes.subarray(at, at + 4).swap16();
    bytes.subarray(at + 4, at + 12).swap32();
  }
  return bytes;
}

/** A WebP whose EXIF is replaced with this EXIF. */
function withWebpExif(webp: Buffer, exif: Buffer): Buffer {
  const body = exif.length % 2 === 0 ? exif : Buffer.concat([exif, Buffer.alloc(1)]);
  const head = Buffer.from('EXIF\0\0\0\0', 'latin1');
  head.writeUInt32LE(exif.length, 4);
  const whole = Buffer.concat([webp.subarray(0, webp.indexOf('EXIF')), head, body]);
  whole.writeUInt32LE(whole.length - 8, 4);
  return whole;
}
