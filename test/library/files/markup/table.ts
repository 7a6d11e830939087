import { gzipSync } from 'node:zlib';

/** A file named `drawing.svg`, and whether it runs a script in Chromium when it is opened. */
export interface Drawing {
  name: string;
  bytes: Buffer;
  /**
   * Chromium's verdict: a script ran on load or on a click in the centre. `varies` where the verdict
   * depends on its version, which brings one of two XML parsers.
   */
  runs: boolean | 'varies';
  /** The service's verdict. */
  scripted: boolean;
}

const ns = 'xmlns="http://www.w3.org/2000/svg"';
const xlink = 'xmlns:xlink="http://www.w3.org/1999/xlink"';
const box = '<rect width="400" height="400" fill="red"/>';
const svg = (inside: string, attributes = '') => `<svg ${ns} ${attributes}>${inside}</svg>`;
const link = (href: string, name = 'href') => svg(`<a ${name}="${href}">${box}</a>`, xlink);
const script = '<script>alert(1)</script>';
const long = 70_000;
const utf16 = (text: string, big = false) => {
  const bytes = Buffer.from(text, 'utf16le');
  return big ? bytes.swap16() : bytes;
};
const utf32 = (text: string) =>
  Buffer.concat([...text].map((character) => Buffer.from([character.codePointAt(0)!, 0, 0, 0])));
const declared = (encoding: string, text: string | Buffer) =>
  Buffer.concat([
    Buffer.from(`<?xml version="1.0" encoding="${encoding}"?>`),
    typeof text === 'string' ? Buffer.from(text, 'latin1') : text,
  ]);
const doctype = (subset: string, rest: string) => `<!DOCTYPE svg [${subset}]>${rest}`;

type Row = [name: string, content: string | Buffer, runs: boolean | 'varies'];

const attacks: Row[] = [
  // Elements
  ['a script', svg(script), true],
  ['a script of a library far away', svg('<script href="data:text/javascript,alert(1)"/>'), true],
  [
    'a script with a prefix',
    `<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:script>alert(1)</s:script></s:svg>`,
    true,
  ],
  [
    'a script with a non-ASCII prefix',
    `<svg ${ns}><é:script xmlns:é="http://www.w3.org/2000/svg">alert(1)</é:script></svg>`,
    true,
  ],
  [
    'a root with a non-ASCII prefix',
    `<ö:svg xmlns:ö="http://www.w3.org/2000/svg"><ö:script>alert(1)</ö:script></ö:svg>`,
    true,
  ],
  [
    'a script in the namespace of XHTML',
    svg('<h:script xmlns:h="http://www.w3.org/1999/xhtml">alert(1)</h:script>'),
    true,
  ],
  [
    'an image of XHTML with a handler',
    svg('<h:img xmlns:h="http://www.w3.org/1999/xhtml" src="x:" onerror="alert(1)"/>'),
    true,
  ],
  [
    'a frame of XHTML',
    svg(
      '<foreignObject width="9" height="9"><iframe xmlns="http://www.w3.org/1999/xhtml" srcdoc="&lt;script&gt;alert(1)&lt;/script&gt;"/></foreignObject>',
    ),
    true,
  ],
  [
    'a namespace put together by references',
    svg('<h:script xmlns:h="http://www.w3.org/1999/&#120;html">alert(1)</h:script>'),
    true,
  ],
  ['a script whose text is CDATA', svg('<script><![CDATA[alert(1)]]></script>'), true],
  [
    'a script behind a comment that looks open',
    svg('<!--> <g> <!-- --><script>alert(1)</script>'),
    false,
  ],
  ['a script in capitals', svg('<SCRIPT>alert(1)</SCRIPT>'), false],
  [
    'a root of another kind',
    `<a><s:script xmlns:s="http://www.w3.org/2000/svg">alert(1)</s:script></a>`,
    true,
  ],
  ['a script before the file breaks', `<svg ${ns}>${script}<g></svg>`, true],
  [
    'a script before bytes that are no UTF-8',
    Buffer.concat([
      Buffer.from(`<svg ${ns}>${script}`),
      Buffer.from([0xff, 0xfe, 0x80]),
      Buffer.from('</svg>'),
    ]),
    true,
  ],
  ['a script before a control character', `<svg ${ns}>${script}\u0001</svg>`, true],
  [
    'a script behind a byte that is not UTF-8',
    Buffer.concat([
      Buffer.from(`<svg ${ns}><text>`),
      Buffer.from([0xe9]),
      Buffer.from(`</text>${script}</svg>`),
    ]),
    false,
  ],
  // Handlers
  ['a handler of load', svg('', 'onload="alert(1)"'), true],
  ['a handler behind a line feed', `<svg ${ns} onload\n=\n'alert(1)'/>`, true],
  ['a handler without a blank before it', `<svg ${ns}a="1"onload="alert(1)"/>`, false],
  [
    'a handler of an animation',
    svg('<animate attributeName="x" dur="1ms" onbegin="alert(1)"/>'),
    true,
  ],
  ['a handler of a short event', svg(`<g oncut="alert(1)">${box}</g>`), false],
  [
    'a handler that animation sets',
    svg(`<rect width="400" height="400"><set attributeName="onclick" to="alert(1)"/></rect>`),
    false,
  ],
  // Links
  ['a link', link('javascript:alert(1)'), true],
  ['a link by XLink', link('javascript:alert(1)', 'xlink:href'), true],
  ['a link with zeros in its reference', link('&#x00000006a;avascript:alert(1)'), true],
  ['a link with zeros in a decimal reference', link('&#0000000000106;avascript:alert(1)'), true],
  [
    'a link with 2,000 zeros in its reference',
    link(`&#x${'0'.repeat(2_000)}6A;avascript:alert(1)`),
    'varies',
  ],
  ['a link with a tab inside', link('java&#9;script:alert(1)'), true],
  ['a link with line feeds inside', link('j&#10;a&#xA;v&#13;ascript&#58;alert(1)'), true],
  ['a link behind control characters', link('&#x20;&#x9;  javascript:alert(1)'), true],
  ['a link in capitals', link('JaVaScRiPt:alert(1)'), true],
  [
    'a link that animation sets',
    svg(`<a>${box}<animate attributeName="href" values="javascript:alert(1)"/></a>`),
    true,
  ],
  [
    'a link that set sets',
    svg(`<a>${box}<set attributeName="href" to="javascript:alert(1)"/></a>`),
    true,
  ],
  [
    'an animated link in pieces',
    svg(
      `<a>${box}<animate attributeName="xlink:href" values="java&#x0a;script:alert(1)"/></a>`,
      xlink,
    ),
    true,
  ],
  [
    'a link to a page in a data URL',
    link('data:text/html,&lt;script&gt;alert(1)&lt;/script&gt;'),
    false,
  ],
  [
    'a use of a data URL',
    svg(
      `<use href="data:image/svg+xml,${encodeURIComponent(`<svg id="x" ${ns} onload="alert(1)">${script}</svg>`)}#x"/>`,
    ),
    false,
  ],
  [
    'an image of a data URL',
    svg(
      `<image href="data:image/svg+xml,${encodeURIComponent(svg(script))}" width="9" height="9"/>`,
    ),
    false,
  ],
  // Document types
  [
    'an entity that holds a script',
    doctype(
      `<!ENTITY x "<script xmlns='http://www.w3.org/2000/svg'>alert(1)</script>">`,
      `<svg ${ns}>&x;</svg>`,
    ),
    true,
  ],
  [
    'entities in pieces of a link',
    doctype('<!ENTITY a "java"><!ENTITY b "script:alert(1)">', link('&a;&b;')),
    true,
  ],
  [
    'an entity of references',
    doctype('<!ENTITY a "&#38;#106;avascript:alert(1)">', link('&a;')),
    'varies',
  ],
  [
    'a handler that the document type gives',
    doctype('<!ATTLIST svg onload CDATA "alert(1)">', svg(box)),
    true,
  ],
  [
    'a link that the document type gives',
    doctype('<!ATTLIST a href CDATA "javascript:alert(1)">', svg(`<a>${box}</a>`)),
    true,
  ],
  [
    'a parameter entity',
    doctype('<!ENTITY % p "<!ATTLIST svg onload CDATA \'alert(1)\'>"> %p;', svg(box)),
    'varies',
  ],
  [
    'a document type that seems to end early',
    doctype(`<!ENTITY a "]>"><!ENTITY b 'x'>`, svg(script)),
    true,
  ],
  ['the document type of HTML', `<!DOCTYPE html>${svg(script)}`, true],
  [
    'a style sheet of XSLT',
    `<?xml-stylesheet type="text/xsl" href="#s"?><svg ${ns}>${box}</svg>`,
    false,
  ],
  // Length
  ['70,000 blanks in front', `${' '.repeat(long)}${svg(script)}`, true],
  ['a mark, 70,000 line feeds', `\ufeff${'\n'.repeat(long)}${svg(script)}`, true],
  ['a comment of 70,000 characters in front', `<!--${'x'.repeat(long)}-->${svg(script)}`, true],
  [
    'a document type of 70,000 characters',
    `<!DOCTYPE svg [<!--${' '.repeat(long)}-->]>${svg(script)}`,
    true,
  ],
  ['a root element of 70,000 characters', svg(script, `id="${'x'.repeat(long)}"`), true],
  [
    'a reference across the edge of what is sniffed',
    svg(
      `<!--${'x'.repeat(65_436 - ns.length)}--><a href="&#x000000000000000000000000000000006a;avascript:alert(1)">${box}</a>`,
    ),
    true,
  ],
  // Encodings
  ['UTF-8 with its mark', `\ufeff${svg(script)}`, true],
  ['UTF-16 with its mark', utf16(`\ufeff${svg(script)}`), true],
  ['UTF-16, the other way round', utf16(`\ufeff${svg(script)}`, true), true],
  ['UTF-16 without a mark', utf16(svg(script)), false],
  [
    'UTF-16 that declares itself, without a mark',
    utf16(`<?xml version="1.0" encoding="UTF-16"?>${svg(script)}`),
    true,
  ],
  [
    'UTF-16 the other way round, without a mark',
    utf16(`<?xml version="1.0" encoding="UTF-16BE"?>${svg(script)}`, true),
    true,
  ],
  ['UTF-32 with its mark', utf32(`\ufeff${svg(script)}`), false],
  ['Latin-1', declared('ISO-8859-1', svg(`<text>\u00e9</text>${script}`)), true],
  ['Shift_JIS', declared('Shift_JIS', svg(script)), true],
  ['UTF-7', declared('UTF-7', svg('+ADw-script+AD4-alert(1)+ADw-/script+AD4-')), false],
  [
    'ISO-2022-JP with its escapes inside of a tag',
    declared('ISO-2022-JP', svg('<\u001b(Bscript>alert(1)</script>')),
    true,
  ],
  // Files that look like another type
  ['a PDF in its first kilobyte', `<!--%PDF-1.7-->${svg(script)}`, true],
  ['the sign of a film', `<!--ftypisom-->${svg(script)}`, true],
  ['the sign of an archive', `<!--${' '.repeat(253)}ustar-->${svg(script)}`, true],
  [
    'a page that claims to be a drawing',
    '<!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><body onload="alert(1)"/></html>',
    true,
  ],
  ['a page that is not XML', '<html><script>alert(1)</script><br></html>', false],
  ['XML of version 1.1', `<?xml version="1.1"?>${svg(script)}`, true],
  ['a packed drawing', gzipSync(svg(script)), false],
  ['a packed drawing behind blanks', gzipSync(`${' '.repeat(long)}${svg(script)}`), false],
  // Style
  ['an import of style', svg('<style>@import "//example.com/a.css";</style>'), false],
  [
    'an escaped link in style',
    svg('<style>g{fill:url(\\6a avascript:alert(1))}</style><g/>'),
    false,
  ],
];

const harmless: Row[] = [
  ['a path', svg('<path d="M0 0h9v9z"/>'), false],
  ['text about scripts', svg('<text>Read the manuscript: on = off</text>'), false],
  [
    'the document type of a drawing program',
    `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [\n<!ENTITY ns_svg "http://www.w3.org/2000/svg">\n<!-- names -->\n]><svg xmlns="&ns_svg;">${box}</svg>`,
    false,
  ],
  [
    'pictures, links and style',
    svg(
      `<style>.a{fill:url(#g)}</style><image href="data:image/png;base64,iVBORw0KGgo="/><a href="https://example.com/?q=javascript">${box}</a>`,
    ),
    false,
  ],
  ['animation', svg('<rect><animate attributeName="x" from="0" to="9" dur="1s"/></rect>'), false],
  [
    'metadata of another namespace',
    `<?xml version="1.0" encoding="UTF-8" standalone="no"?>${svg('<metadata><r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><r:li r:about="Notes: data"/></r:RDF></metadata>')}`,
    false,
  ],
  ['UTF-16 with its mark', utf16(`\ufeff${svg(box)}`), false],
  ['Latin-1 that it declares', declared('ISO-8859-1', svg('<text>caf\u00e9</text>')), false],
  ['70,000 blanks and a path', `${' '.repeat(long)}${svg(box)}`, false],
  [
    'a picture of 200,000 characters',
    svg(`<image href="data:image/png;base64,${'iVBORw0K'.repeat(25_000)}"/>`),
    false,
  ],
];

const rows = (list: Row[], scripted: boolean): Drawing[] =>
  list.map(([name, content, runs]) => ({
    name,
    bytes: typeof content === 'string' ? Buffer.from(content) : content,
    runs,
    scripted,
  }));

export const scriptedDrawings = rows(attacks, true);
export const harmlessDrawings = rows(harmless, false);
