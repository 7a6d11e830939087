import { strToU8, zipSync } from 'fflate';

const container =
  '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>';
const chapterFile = (body: string, head = ''): string =>
  `<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title/>${head}</head><body>${body}</body></html>`;

/** A book of two chapters with a table of contents, and whatever else is given. */
export function epub(
  body: string,
  {
    head = '',
    metadata = '',
    title = 'The Sea',
    contents = 'The Shore',
    manifest = '',
    parts = {},
  }: {
    head?: string;
    metadata?: string;
    title?: string;
    /** The name of the first chapter. */
    contents?: string;
    manifest?: string;
    parts?: Record<string, string | Uint8Array>;
  } = {},
): Uint8Array {
  const files = {
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': container,
    'OPS/book.opf': `<package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>${title}</dc:title><dc:language>en</dc:language>${metadata}</metadata><manifest><item id="a" href="one.xhtml" media-type="application/xhtml+xml"/><item id="b" href="two%20b.xhtml" media-type="application/xhtml+xml"/><item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>${manifest}</manifest><spine><itemref idref="n"/><itemref idref="a"/><itemref idref="b"/></spine></package>`,
    'OPS/one.xhtml': chapterFile(body, head),
    'OPS/two b.xhtml': chapterFile('<h2 id="h">Ships</h2><p>A boat.</p>'),
    'OPS/nav.xhtml': chapterFile(
      `<nav epub:type="toc"><ol><li><a href="one.xhtml">${contents}</a></li><li><a href="two%20b.xhtml">Ships</a></li></ol></nav>`,
    ),
    ...parts,
  };
  return zipSync(
    Object.fromEntries(
      Object.entries(files).map(([name, text]) => [
        name,
        typeof text === 'string' ? strToU8(text) : text,
      ]),
    ),
  );
}
