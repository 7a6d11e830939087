import { expect } from 'chai';
import { strToU8, zipSync } from 'fflate';
import { readEpub } from '../../../packages/documents/src/normalize/kinds/epub/index.ts';
import { markdownOf } from '../../../packages/documents/src/normalize/write/markdown.ts';
import { sniff } from '../../../src/library/files/sniff.ts';

const container =
  '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>';
const chapter = (body: string): string =>
  `<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>${body}</body></html>`;
const opf =
  '<package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>The Sea</dc:title><dc:language>en</dc:language></metadata>' +
  '<manifest><item id="b" href="two%20b.xhtml" media-type="application/xhtml+xml"/><item id="a" href="one.xhtml" media-type="application/xhtml+xml"/><item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/><item id="x" href="../../../etc/passwd" media-type="application/xhtml+xml"/></manifest>' +
  '<spine><itemref idref="n"/><itemref idref="a"/><itemref idref="b"/><itemref idref="x"/></spine></package>';
const book = (more: Record<string, string> = {}): Uint8Array =>
  zipSync(
    Object.fromEntries(
      Object.entries({
        mimetype: 'application/epub+zip',
        'META-INF/container.xml': container,
        'OPS/book.opf': opf,
        'OPS/one.xhtml': chapter('<p><a id="p1"/>It begins&nbsp;here.</p>'),
        'OPS/two b.xhtml': chapter('<h2>Ships</h2><ul><li>a boat</li></ul>'),
        'OPS/nav.xhtml': chapter(
          '<nav><ol><li><a href="one.xhtml#p1">The &amp; Shore</a></li></ol></nav>',
        ),
        ...more,
      }).map(([name, text]) => [name, strToU8(text)]),
    ),
  );

describe('a normalised book', () => {
  it('has its chapters in the order of its spine, with names from the contents', () => {
    const found = readEpub(book());
    expect(found).to.include({ title: 'The Sea', language: 'en' });
    expect([...markdownOf(found.blocks)].join('').trimEnd()).to.equal(
      '## The & Shore\n\nIt begins\u00a0here.\n\n## Ships\n\n- a boat',
    );
  });

  it('is recognised although its type is compressed', () => {
    expect(sniff(Buffer.from(book()), { filename: 'x' }).mime).to.equal('application/epub+zip');
  });

  it('is rejected if its text is encrypted, and read if only its fonts are', () => {
    const encrypted = (path: string) => ({
      'META-INF/encryption.xml': `<encryption><EncryptedData><CipherData><CipherReference URI="${path}"/></CipherData></EncryptedData></encryption>`,
    });
    expect(() => readEpub(book(encrypted('OPS/one.xhtml')))).to.throw(/encrypted/);
    expect(readEpub(book(encrypted('OPS/font.otf'))).blocks).to.have.length(4);
  });

  it('is found by paths with escapes, and by names that contain them', () => {
    const moved = (written: string, path: string): string => {
      const files = {
        'META-INF/container.xml': container.replace('OPS/book.opf', written),
        [path]: opf,
      };
      return [...markdownOf(readEpub(book(files)).blocks)].join('');
    };
    expect(moved('OPS/the%20book.opf', 'OPS/the book.opf')).to.contain('Ships');
    expect(moved('OPS/100%.opf', 'OPS/100%.opf')).to.contain('Ships');
    expect(moved('OPS/the%20book.opf', 'OPS/the%20book.opf')).to.contain('Ships');
  });

  it('reports items that are not read, by media type, and no others', () => {
    const unread = (type: string, more = '', spine = '') =>
      readEpub(
        book({
          'OPS/book.opf': opf
            .replace(/<item id="x"[^>]*>/, `<item id="y" href="y" media-type="${type}" ${more}/>`)
            .replace('<itemref idref="x"/>', spine),
          'OPS/y': chapter('<p>Text</p>'),
        }),
      ).unread;
    // The core media types of EPUB 3.3, and those of EPUB 2.
    const complete = `image/gif image/jpeg image/png image/svg+xml image/webp text/css font/ttf font/otf
      font/woff font/woff2 application/font-sfnt application/font-woff application/vnd.ms-opentype
      application/x-font-ttf text/javascript application/javascript application/ecmascript
      application/x-dtbncx+xml application/smil+xml application/pls+xml text/x-oeb1-css
      application/oebps-page-map+xml application/vnd.adobe-page-template+xml`;
    for (const type of complete.split(/\s+/)) expect(unread(type), type).to.deep.equal([]);
    const reported =
      'audio/mpeg audio/mp4 audio/ogg video/mp4 application/pdf text/plain application/x-new';
    for (const type of reported.split(' ')) expect(unread(type)).to.deep.equal([type]);
    expect(unread('application/xhtml+xml')).to.deep.equal(['chapter outside of the spine']);
    expect(unread('application/xhtml+xml', '', '<itemref idref="y" linear="no"/>')).to.deep.equal(
      [],
    );
    expect(readEpub(book()).unread).to.deep.equal(['missing chapter']);
    const drawn = chapter('<svg><title>t</title><text>Drawn</text></svg><p>a</p>');
    expect(readEpub(book({ 'OPS/one.xhtml': drawn })).blocks).to.deep.include({
      role: 'picture',
      alt: 't',
      written: 'Drawn',
      page: 1,
      box: null,
      confidence: 1,
    });
  });
});
