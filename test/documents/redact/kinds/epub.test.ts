import { expect } from 'chai';
import { strFromU8, unzipSync, zipSync } from 'fflate';
import { parseXml } from '../../../../packages/documents/src/files/xml.ts';
import { readEpub } from '../../../../packages/documents/src/normalize/kinds/epub/index.ts';
import { epub } from '../../../support/books.ts';
import { createSecretDetector, expectRemoved, redactBytes } from '../../../support/redact-kinds.ts';

const name = 'Mara Quellwasser';
const detector = createSecretDetector(name);

/** Channels: the body of a chapter and further content for a secret. */
const channels: Record<
  string,
  (secret: string) => [body: string, more?: NonNullable<Parameters<typeof epub>[1]>]
> = {
  'over elements': (s) => [`<p>${s.slice(0, 2)}<b>${s.slice(2, 4)}</b>${s.slice(4)}</p>`],
  'references to characters': (s) => [
    `<p>${[...s].map((letter) => `&#${letter.charCodeAt(0)};`).join('')}</p>`,
  ],
  'title, contents and metadata': (s) => [
    '',
    {
      title: `Letters of ${s}`,
      contents: `To ${s}`,
      metadata: `<dc:creator>${s}</dc:creator><dc:identifier>${s}</dc:identifier><dc:description>${s}</dc:description><meta name="cover" content="${s}"/>`,
    },
  ],
  'contents in EPUB 2': (s) => [
    '',
    {
      manifest: '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>',
      parts: {
        'OPS/toc.ncx': `<ncx><docTitle><text>${s}</text></docTitle><docAuthor><text>${s}</text></docAuthor><navMap><navPoint><navLabel><text>${s}</text></navLabel><content src="one.xhtml"/></navPoint></navMap></ncx>`,
      },
    },
  ],
  'attributes and links': (s) => [
    `<p id="${s.replace(' ', '-')}" title="${s}" data-name="${s}" lang="${s}"><a href="mailto:${s.replace(' ', '%20')}">x</a><a href="two%20b.xhtml#${s}">y</a><a href="${s}.html">z</a></p>`,
  ],
  'picture and its name': (s) => [
    `<p><img src="images/${s.replace(' ', '')}.png" alt="${s}"/></p><svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><title>${s}</title><text>${s}</text><image xlink:href="${s.replace(' ', '')}.jpg"/></svg>`,
    { parts: { [`OPS/images/${s.replace(' ', '')}.png`]: s } },
  ],
  'styles, scripts, frames and sound': (s) => [
    `<script>${s}</script><iframe src="${s}"/><audio src="${s}"><source src="${s}"/></audio><object data="${s}">${s}</object><!-- ${s} --><?a ${s}?><p onclick="${s}" style="content:'${s}'">x</p>`,
    { head: `<style>${s}</style><link href="${s}.css"/><meta name="author" content="${s}"/>` },
  ],
  'files outside of the order of reading': (s) => [
    '',
    {
      manifest: `<item id="c" href="other.xhtml" media-type="application/xhtml+xml"/><item id="s" href="a.js" media-type="text/javascript"/>`,
      parts: {
        'OPS/other.xhtml': s,
        'OPS/a.js': s,
        'META-INF/metadata.xml': s,
        'META-INF/signatures.xml': s,
        'iTunesMetadata.plist': s,
      },
    },
  ],
};

describe('redaction of EPUB', () => {
  for (const [channel, make] of Object.entries(channels)) {
    it(`removes a secret from: ${channel}`, async () => {
      const build = (secret: string): Uint8Array => {
        const [body, more] = make(secret);
        return epub(`<p>On ${secret}.</p>${body}`, more);
      };
      await expectRemoved('epub', name, build);
    });
  }

  it('is a book of well-formed chapters with the same words, names and links', async () => {
    const body = `<h1>One</h1><p>Dear <i>Mara</i> Quellwasser,<br/>5 &lt; 6&nbsp;&amp; <a href="two%20b.xhtml#h">go</a> <a href="gone.html">on</a> <a href="https://example.org/?a=1&amp;b">out</a>\u0001</p><math xmlns="http://www.w3.org/1998/Math/MathML"><mi>x</mi></math>`;
    const { output, result } = await redactBytes('epub', epub(body), detector);
    const files = unzipSync(output!);
    expect(Object.keys(files)).to.deep.equal([
      'mimetype',
      'META-INF/container.xml',
      'book.opf',
      'nav.xhtml',
      'chapter1.xhtml',
      'chapter2.xhtml',
      'image1.png',
    ]);
    for (const part of Object.keys(files).filter((one) => /html$|opf$/.test(one))) {
      expect(() => parseXml(files[part]!), part).to.not.throw();
    }
    const chapter = strFromU8(files['chapter1.xhtml']!);
    expect(chapter).to.contain('<p>Dear <i>[PERSON]</i>,<br/>5 &lt; 6\u00a0&amp; ');
    expect(chapter).to.contain('<a href="chapter2.xhtml#h">go</a>');
    expect(chapter).to.contain('<a href="#redacted">on</a>');
    expect(chapter).to.contain('<a href="https://example.org/?a=1&amp;b">out</a>\ufffd</p>');
    expect(chapter).to.contain(
      '<math xmlns="http://www.w3.org/1998/Math/MathML"><mi>x</mi></math>',
    );
    expect(strFromU8(files['book.opf']!)).to.contain('properties="mathml"');
    expect(strFromU8(files['nav.xhtml']!)).to.contain('<a href="chapter2.xhtml">Ships</a>');
    expect(result.pages[0]).to.match(/^The Sea\nThe Shore\nShips\nOne\nDear \[PERSON\],/);
    const again = readEpub(output!);
    expect(again).to.include({ title: 'The Sea', language: 'en' });
    expect(again.blocks.map((block) => ('text' in block ? block.text : '')).join(' ')).to.match(
      /^One Dear \[PERSON\],.* Ships A boat\.$/s,
    );
  });

  it('reports what is not read', async () => {
    const manifest =
      '<item id="c" href="other.xhtml" media-type="application/xhtml+xml"/><item id="p" href="a.pdf" media-type="application/pdf"/>';
    const file = epub('<p>x</p>', {
      manifest,
      parts: { 'OPS/other.xhtml': '<p>y</p>', 'OPS/a.pdf': 'z' },
    });
    const { result } = await redactBytes('epub', file, detector);
    const { 'OPS/one.xhtml': _, ...others } = unzipSync(epub('<p>x</p>'));
    const missing = await redactBytes('epub', zipSync(others), detector);
    expect(missing.result.dropped).to.deep.equal(['missing chapter']);
    expect(result.dropped).to.deep.equal(['application/pdf', 'chapter outside of the spine']);
  });
});
