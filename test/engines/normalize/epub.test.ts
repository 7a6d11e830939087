import { expect } from 'chai';
import { strToU8, zipSync } from 'fflate';
import { readEpub } from '../../../src/engines/normalize/kinds/epub/index.ts';
import { markdownOf } from '../../../src/engines/normalize/write/markdown.ts';
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
});
