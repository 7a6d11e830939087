import { Readable } from 'node:stream';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import fc from 'fast-check';
import { zipSync } from 'fflate';
import { PDFDocument } from 'pdf-lib';
import sharp from 'sharp';
import { sniff } from '../../../src/library/files/sniff.ts';
import { readTypeAndTraits } from '../../../src/library/files/traits.ts';

const latin = (text: string) => Buffer.from(text, 'latin1');
const mimeOf = (head: Buffer | string, hints: Parameters<typeof sniff>[1] = {}) =>
  sniff(typeof head === 'string' ? Buffer.from(head) : head, hints).mime;

const OOXML = 'application/vnd.openxmlformats-officedocument';
const types = (main: string) =>
  Buffer.from(
    `<Types><Override PartName="/x" ContentType="application/vnd.${main}.main+xml"/></Types>`,
  );

function zipOf(files: Record<string, Buffer | string>, level: 0 | 6 = 6): Buffer {
  const input = Object.fromEntries(
    Object.entries(files).map(([name, data]) => [name, new Uint8Array(Buffer.from(data))]),
  );
  return Buffer.from(zipSync(input, { level }));
}

function exe(): Buffer {
  const bytes = Buffer.alloc(512);
  bytes.write('MZ', 0);
  bytes.writeUInt32LE(0x80, 0x3c);
  bytes.write('PE\0\0', 0x80);
  return bytes;
}

const ftyp = (...brands: string[]) =>
  Buffer.concat([
    Buffer.from([0, 0, 0, 12 + 4 * brands.length]),
    latin(`ftyp${brands[0]}\0\0\0\0${brands.slice(1).join('')}`),
    Buffer.from([0, 0, 0, 8]),
    latin('mdat'),
  ]);

describe('type detection', () => {
  describe('of real files', () => {
    const pixel = () =>
      sharp({ create: { width: 8, height: 8, channels: 3, background: { r: 9, g: 9, b: 9 } } });
    for (const [format, mime] of [
      ['png', 'image/png'],
      ['jpeg', 'image/jpeg'],
      ['gif', 'image/gif'],
      ['webp', 'image/webp'],
      ['tiff', 'image/tiff'],
      ['avif', 'image/avif'],
    ] as const) {
      it(`recognises ${format} whatever the client declares`, async () => {
        const bytes = await pixel().toFormat(format).toBuffer();
        expect(sniff(bytes, { filename: 'a.txt', declaredMime: 'text/html' })).to.deep.equal({
          mime,
          executable: false,
          scripted: false,
          scanNeeded: false,
        });
      });
    }
    it('recognises a PDF, even after up to 1024 other bytes', async () => {
      const document = await PDFDocument.create();
      document.addPage();
      const bytes = Buffer.from(await document.save());
      expect(mimeOf(bytes)).to.equal('application/pdf');
      for (const junk of [1, 500, 1024]) {
        expect(mimeOf(Buffer.concat([Buffer.alloc(junk, ' '), bytes]))).to.equal('application/pdf');
      }
      expect(mimeOf(Buffer.concat([Buffer.alloc(1025, ' '), bytes]))).not.to.equal(
        'application/pdf',
      );
    });
    it('recognises the Node executable that runs this test', async () => {
      const { open } = await import('node:fs/promises');
      const file = await open(process.execPath);
      const head = Buffer.alloc(4096);
      await file.read(head, 0, head.length, 0);
      await file.close();
      expect(
        sniff(head, { filename: 'photo.jpg', declaredMime: 'image/jpeg' }).executable,
      ).to.equal(true);
    });
  });

  describe('by signature', () => {
    const cases: [string, Buffer, string][] = [
      ['heic', ftyp('heic', 'mif1', 'heic'), 'image/heic'],
      ['heic by a compatible brand', ftyp('mif1', 'mif1', 'heic'), 'image/heic'],
      ['avif by a compatible brand', ftyp('mif1', 'miaf', 'avif'), 'image/avif'],
      ['heif of another codec', ftyp('mif1', 'mif1'), 'image/heif'],
      ['jpeg xl in a file', latin('\0\0\0\x0cJXL \r\n\x87\n'), 'image/jxl'],
      ['jpeg xl alone', Buffer.from('ff0afa7f0190080600', 'hex'), 'image/jxl'],
      ['jpeg 2000 in a file', latin('\0\0\0\x0cjP  \r\n\x87\n'), 'image/jp2'],
      ['jpeg 2000 alone', Buffer.from('ff4fff51002f0000', 'hex'), 'image/j2c'],
      ['mp4', ftyp('isom', 'isom', 'mp42'), 'video/mp4'],
      ['quicktime', ftyp('qt  '), 'video/quicktime'],
      ['m4a', ftyp('M4A '), 'audio/mp4'],
      ['mp3 with tags', latin('ID3\x04\0\0\0'), 'audio/mpeg'],
      ['mp3 without', Buffer.from([0xff, 0xfb, 0x90, 0x44, 0, 0]), 'audio/mpeg'],
      ['big-endian tiff', latin('MM\0*\0\0\0\x08'), 'image/tiff'],
      [
        'bmp',
        Buffer.concat([latin('BM'), Buffer.alloc(12), Buffer.from([40, 0, 0, 0])]),
        'image/bmp',
      ],
      ['wav', latin('RIFF\0\0\0\0WAVEfmt '), 'audio/wav'],
      ['gzip', gzipSync('x'), 'application/gzip'],
      [
        'webm',
        Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), latin('\x42\x82\x84webm')]),
        'video/webm',
      ],
      ['old office', Buffer.from('d0cf11e0a1b11ae10000', 'hex'), 'application/x-ole-storage'],
      ['tar', Buffer.concat([Buffer.alloc(257), latin('ustar\0')]), 'application/x-tar'],
      ['noise', Buffer.from([1, 2, 3, 200, 201, 0]), 'application/octet-stream'],
      ['a text with a zero byte', latin('hello\0world'), 'application/octet-stream'],
      ['latin-1 that is not UTF-8', latin('caf\xe9 au lait'), 'text/plain'],
      ['nothing', Buffer.alloc(0), 'application/octet-stream'],
      [
        'an e-mail message',
        latin('Return-Path: <a@b.example>\r\nFrom: a@b.example\r\nSubject: x\r\n\r\nHi'),
        'message/rfc822',
      ],
      ['a text with a line like a header', latin('From: me\nTo: you\n\nHi'), 'text/plain'],
      [
        'a frame that is not mp3',
        Buffer.from([0xff, 0xfb, 0xff, 0xff]),
        'application/octet-stream',
      ],
    ];
    for (const [what, bytes, mime] of cases) {
      it(`returns ${mime} for ${what}`, () => {
        expect(sniff(bytes)).to.include({ mime, executable: false });
      });
    }
    const runs: [string, Buffer, string | undefined][] = [
      ['PE', exe(), undefined],
      ['a DOS program', Buffer.concat([latin('MZ'), Buffer.alloc(100, 1)]), undefined],
      ['ELF', latin('\x7fELF\x02\x01\x01'), undefined],
      ['Mach-O', Buffer.from([0xcf, 0xfa, 0xed, 0xfe, 7, 0, 0, 1]), undefined],
      ['Mach-O for several processors', Buffer.from('cafebabe00000002', 'hex'), undefined],
      ['a Java class', Buffer.from('cafebabe00000034', 'hex'), undefined],
      ['WebAssembly', latin('\0asm\x01\0\0\0'), undefined],
      ['a shell script', Buffer.from('#!/bin/sh\nrm -rf /\n'), undefined],
      ['a script with env', Buffer.from('#! /usr/bin/env python3\n'), 'notes.txt'],
      ['a batch file by its name', Buffer.from('del *.*\r\n'), 'run.BAT'],
      ['PowerShell by its name', Buffer.from('Remove-Item x'), 'a.ps1'],
      ['a jar', zipOf({ 'META-INF/MANIFEST.MF': 'x', 'A.class': 'y' }), undefined],
      ['an apk', zipOf({ 'AndroidManifest.xml': 'x', 'classes.dex': 'y' }), undefined],
    ];
    for (const [what, bytes, filename] of runs) {
      it(`flags ${what} as executable`, () => {
        expect(sniff(bytes, { filename, declaredMime: 'image/png' }).executable).to.equal(true);
      });
    }
    for (const text of [
      'MZ is a region code',
      '#!important',
      '# !/bin/sh',
      'BM is short for Bergmeister',
      'ID 3',
    ]) {
      it(`returns only text for ${JSON.stringify(text)}`, () => {
        expect(sniff(Buffer.from(text))).to.include({ mime: 'text/plain', executable: false });
      });
    }
  });

  describe('of polyglots, by the strongest signature', () => {
    it('recognises an executable with a PDF in its first kilobyte', () => {
      const bytes = exe();
      bytes.write('%PDF-1.7', 0x100);
      expect(sniff(bytes)).to.include({ executable: true });
    });
    it('recognises an image followed by a PDF or a ZIP', () => {
      expect(mimeOf(latin('GIF89a\x01\0\x01\0%PDF-1.4'))).to.equal('image/gif');
      expect(mimeOf(latin('\x89PNG\r\n\x1a\nPK\x03\x04'))).to.equal('image/png');
    });
    it('recognises an HTML page with a PDF in it as a PDF', () => {
      expect(mimeOf('<html><script>alert(1)</script>%PDF-1.7', { filename: 'a.html' })).to.equal(
        'application/pdf',
      );
    });
    it('recognises a script followed by markup', () => {
      expect(sniff(Buffer.from('#!/bin/sh\n<svg></svg>'), { filename: 'a.svg' })).to.include({
        executable: true,
      });
    });
  });

  describe('of ZIP files', () => {
    const rels = { '_rels/.rels': '<x/>' };
    const cases: [string, Buffer, string][] = [
      [
        'docx',
        zipOf({
          '[Content_Types].xml': types('openxmlformats-officedocument.wordprocessingml.document'),
          ...rels,
          'word/document.xml': 'x',
        }),
        `${OOXML}.wordprocessingml.document`,
      ],
      [
        'docx, stored',
        zipOf(
          {
            '[Content_Types].xml': types('openxmlformats-officedocument.wordprocessingml.document'),
          },
          0,
        ),
        `${OOXML}.wordprocessingml.document`,
      ],
      [
        'xlsx by its types alone',
        zipOf({
          '[Content_Types].xml': types('openxmlformats-officedocument.spreadsheetml.sheet'),
          'a/b.xml': 'x',
        }),
        `${OOXML}.spreadsheetml.sheet`,
      ],
      [
        'pptx by its folders',
        zipOf({ ...rels, 'docProps/app.xml': 'x', 'ppt/presentation.xml': 'y' }),
        `${OOXML}.presentationml.presentation`,
      ],
      [
        'odt',
        zipOf({ mimetype: 'application/vnd.oasis.opendocument.text', 'content.xml': 'x' }, 0),
        'application/vnd.oasis.opendocument.text',
      ],
      [
        'epub',
        zipOf({ mimetype: 'application/epub+zip', 'x.xml': 'x' }, 0),
        'application/epub+zip',
      ],
      [
        'a zip that calls itself an image',
        zipOf({ mimetype: 'application/png' }, 0),
        'application/zip',
      ],
      ['an ordinary zip', zipOf({ 'readme.txt': 'x', 'word.txt': 'y' }), 'application/zip'],
      [
        'a zip with a docx in it',
        zipOf(
          {
            'inner.docx': zipOf({
              '[Content_Types].xml': types('wordprocessingml'),
              'word/document.xml': 'x',
            }),
          },
          0,
        ),
        'application/zip',
      ],
      ['an empty zip', latin(`PK\x05\x06${'\0'.repeat(18)}`), 'application/zip'],
      ['a broken zip', latin('PK\x03\x04garbage'), 'application/zip'],
    ];
    for (const [what, bytes, mime] of cases) {
      it(`returns ${mime} for ${what}`, () => {
        expect(sniff(bytes)).to.include({ mime, executable: false, scripted: false });
      });
    }
    it('flags macros as scripted', () => {
      const macros = types('ms-word.document.macroEnabled');
      expect(sniff(zipOf({ '[Content_Types].xml': macros, 'word/document.xml': 'x' }))).to.include({
        mime: 'application/vnd.ms-word.document.macroEnabled.12',
        scripted: true,
      });
      const named = zipOf({ ...rels, 'xl/workbook.xml': 'x', 'xl/vbaProject.bin': 'y' });
      expect(sniff(named).scripted).to.equal(true);
    });
    it('does not unpack a bomb', () => {
      const bomb = deflateRawSync(Buffer.alloc(60 * 1024 ** 2));
      const header = Buffer.alloc(30);
      header.write('PK\x03\x04', 0, 'latin1');
      header.writeUInt16LE(8, 8);
      header.writeUInt32LE(bomb.length, 18);
      header.writeUInt16LE('[Content_Types].xml'.length, 26);
      const bytes = Buffer.concat([header, latin('[Content_Types].xml'), bomb]).subarray(0, 65_536);
      const before = process.memoryUsage().arrayBuffers;
      expect(mimeOf(bytes)).to.equal('application/zip');
      expect(process.memoryUsage().arrayBuffers - before).to.be.below(1024 ** 2);
    });
  });

  describe('of text, by name and declared type', () => {
    const cases: [string, { filename?: string; declaredMime?: string }, string][] = [
      ['a,b\n1,2\n', {}, 'text/plain'],
      ['a,b\n1,2\n', { filename: 'x.csv' }, 'text/csv'],
      ['a,b\n1,2\n', { declaredMime: 'text/csv; charset=utf-8' }, 'text/csv'],
      ['a,b\n1,2\n', { filename: 'x.csv', declaredMime: 'text/plain' }, 'text/csv'],
      ['a,b\n1,2\n', { filename: 'x.csv', declaredMime: 'application/vnd.ms-excel' }, 'text/csv'],
      ['# Title', { filename: 'README.md' }, 'text/markdown'],
      ['<h1 align="center">Title</h1>', { filename: 'README.md' }, 'text/markdown'],
      ['<h1>Title</h1>', {}, 'text/html'],
      ['<!doctype html><p>x', { filename: 'README.md' }, 'text/html'],
      ['\ufeff <!-- c --><HTML>', { declaredMime: 'text/plain' }, 'text/html'],
      ['a paragraph', { filename: 'x.html' }, 'text/html'],
      ['{"a":1}', {}, 'application/json'],
      ['[1,2', {}, 'text/plain'],
      ['{"a":1}', { filename: 'x.txt' }, 'text/plain'],
      ['hello', { filename: 'x.json' }, 'text/plain'],
      ['[1]', { declaredMime: 'application/json' }, 'application/json'],
      ['<?xml version="1.0"?><a/>', {}, 'application/xml'],
      ['<?xml version="1.0"?><!-- <svg> --><a/>', { filename: 'a.svg' }, 'application/xml'],
      ['<?xml version="1.0"?><html xmlns="x"/>', {}, 'application/xhtml+xml'],
      ['text', { declaredMime: 'image/png', filename: 'a.png' }, 'text/plain'],
      ['text', { declaredMime: 'application/pdf' }, 'text/plain'],
      ['text', { declaredMime: 'image/svg+xml', filename: 'a.svg' }, 'text/plain'],
      ['', { filename: 'empty.txt' }, 'text/plain'],
      ['Zoë 文字', {}, 'text/plain'],
    ];
    for (const [text, hints, mime] of cases) {
      it(`returns ${mime} for ${JSON.stringify(text)} with ${JSON.stringify(hints)}`, () => {
        expect(mimeOf(text, hints)).to.equal(mime);
      });
    }
    it('reads UTF-16 with a byte order mark', () => {
      const text = Buffer.from('\ufeff<svg onload="x()">', 'utf16le');
      expect(sniff(text)).to.include({ mime: 'image/svg+xml', scripted: true });
      expect(mimeOf(Buffer.from('\ufeffhello', 'utf16le').swap16())).to.equal('text/plain');
    });
    it('accepts a head that ends within a character as text only if more bytes follow', () => {
      const cut = Buffer.from('文字').subarray(0, 4);
      expect(mimeOf(cut, { bytes: 6 })).to.equal('text/plain');
      expect(mimeOf(cut, { bytes: 4 })).to.equal('application/octet-stream');
    });
  });

  describe('of SVG', () => {
    const ns = 'xmlns="http://www.w3.org/2000/svg"';
    const harmless: string[] = [
      `<svg ${ns}><path d="M0 0"/></svg>`,
      `<?xml version="1.0"?>\n<!-- by hand -->\n<svg ${ns}><text>once upon = a time</text></svg>`,
      `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/a.dtd" [<!ENTITY ns_svg "http://www.w3.org/2000/svg">]><svg ${ns}/>`,
      `<svg ${ns}><style>.a{fill:red}</style><image href="data:image/png;base64,AA"/></svg>`,
      `<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:g/></s:svg>`,
    ];
    for (const svg of harmless) {
      it(`does not flag ${svg.slice(0, 50)}`, () => {
        expect(sniff(Buffer.from(svg), { declaredMime: 'text/plain' })).to.deep.equal({
          mime: 'image/svg+xml',
          executable: false,
          scripted: false,
          scanNeeded: false,
        });
      });
    }
    const scripted: string[] = [
      `<svg ${ns}><script>alert(1)</script></svg>`,
      `<svg ${ns}><SCRIPT href="x"/></svg>`,
      `<svg ${ns} onload="alert(1)"/>`,
      `<svg ${ns}><g\nonclick\n=\n"x"/></svg>`,
      `<svg ${ns}/onload=alert(1)>`,
      `<svg ${ns}><a href="javascript:alert(1)"><text>x</text></a></svg>`,
      `<svg ${ns}><a href="jav&#x61;script&#58;alert(1)"/></svg>`,
      `<svg ${ns}><a href="java&#10;script:alert(1)"/></svg>`,
      `<svg ${ns}><a href="java&Tab;script&colon;alert(1)"/></svg>`,
      `<svg ${ns}><foreignObject><body/></foreignObject></svg>`,
      `<svg ${ns}><set attributeName="onmouseover" to="x"/></svg>`,
      `<svg ${ns}><animate attributeName = 'href' values="x"/></svg>`,
      `<svg ${ns}><use href="data:image/svg+xml;base64,AA"/></svg>`,
      `<!DOCTYPE svg [<!ENTITY a "java"><!ENTITY b "script:x">]><svg ${ns}><a href="&a;&b;"/></svg>`,
      `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg ${ns}>&x;</svg>`,
      `<!DOCTYPE svg [<!ENTITY % p "x">]><svg ${ns}/>`,
      `<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:script>x</s:script></s:svg>`,
      `<?xml version="1.0"?><?xml-stylesheet href="x.xsl"?><svg ${ns}/>`,
    ];
    for (const svg of scripted) {
      it(`flags ${svg.slice(0, 110)}`, () => {
        expect(sniff(Buffer.from(svg))).to.include({ mime: 'image/svg+xml', scripted: true });
      });
    }
    it('flags scripts in other XML and in HTML as well', () => {
      const xml = '<?xml version="1.0"?><a><s:script xmlns:s="urn:other"/></a>';
      expect(sniff(Buffer.from(xml))).to.include({ mime: 'application/xml', scripted: true });
      // Named as a drawing, a browser would run it: it is a drawing, whatever its current name.
      const hidden = '<?xml version="1.0"?><a><s:script xmlns:s="http://www.w3.org/2000/svg"/></a>';
      expect(sniff(Buffer.from(hidden))).to.include({ mime: 'image/svg+xml', scripted: true });
      const html = '<!doctype html><script>x</script>';
      expect(sniff(Buffer.from(html))).to.include({ mime: 'text/html', scripted: true });
    });
    it('requests a scan of the whole file if there is more than the head', async () => {
      const start = `<svg ${ns}>${'<g/>'.repeat(20_000)}`;
      const bad = Buffer.from(`${start}<script>x</script></svg>`);
      const head = bad.subarray(0, 65_536);
      expect(sniff(head, { bytes: bad.length })).to.include({
        mime: 'image/svg+xml',
        scripted: false,
        scanNeeded: 'markup',
      });
      const pieces = (bytes: Buffer, size: number) =>
        Readable.from(
          Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
            bytes.subarray(i * size, (i + 1) * size),
          ),
        );
      const traits = async (bytes: Buffer, size: number) => {
        const hints = { bytes: bytes.length };
        const sniffed = sniff(bytes.subarray(0, 65_536), hints);
        return (await readTypeAndTraits(sniffed, hints, async () => pieces(bytes, size))).traits;
      };
      for (const size of [65_536, 4_099, 100_000]) {
        expect(await traits(bad, size)).to.deep.equal(['scripted']);
      }
      expect(await traits(Buffer.from(`${start}</svg>`), 65_536)).to.deep.equal([]);
    });
  });

  it('handles any bytes and never flags noise as executable without a signature', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), fc.string(), fc.string(), (bytes, a, b) => {
        const result = sniff(Buffer.from(bytes), { filename: a, declaredMime: b });
        expect(result.mime).to.match(/^[a-z]+\/[\w.+-]+$/);
      }),
    );
  });

  it('takes linear time on hostile input', () => {
    // A quadratic pattern would take minutes and exceed the timeout of the test.
    const long = 65_536;
    for (const piece of [
      '<!entity ',
      '<!DOCTYPE',
      '<?',
      '<!--',
      '<?xml ?>',
      ' ',
      '<meta ',
      'http-equiv=',
      '<svg ',
      'attributename=',
      '&#1',
      '<!DOCTYPE a [',
      '] ',
      'on',
      'PK\x03\x04',
      'java\n',
    ]) {
      for (const lead of [
        '',
        '<svg ',
        '<!DOCTYPE ',
        '<svg attributename=',
        '<svg http-equiv=',
        '<svg onabc',
        '<svg javascript',
      ]) {
        for (const fill of [piece, `${piece}${' '.repeat(50)}`]) {
          const text = lead + fill.repeat(Math.ceil(long / fill.length));
          sniff(Buffer.from(text).subarray(0, long), { bytes: long * 2 });
        }
      }
    }
  });
});
