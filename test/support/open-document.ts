import { strToU8, zipSync } from 'fflate';
import { mimes } from './redact-kinds.ts';

const opendocument = 'urn:oasis:names:tc:opendocument:xmlns';
/** The namespaces of OpenDocument, with those of metadata, forms, scripts and of an extension. */
export const odfNames = [
  ...['office', 'text', 'table', 'style', 'presentation', 'chart', 'form', 'script', 'meta'].map(
    (name) => `xmlns:${name}="${opendocument}:${name}:1.0"`,
  ),
  `xmlns:draw="${opendocument}:drawing:1.0"`,
  `xmlns:anim="${opendocument}:animation:1.0"`,
  `xmlns:number="${opendocument}:datastyle:1.0"`,
  `xmlns:svg="${opendocument}:svg-compatible:1.0"`,
  `xmlns:fo="${opendocument}:xsl-fo-compatible:1.0"`,
  `xmlns:of="${opendocument}:of:1.2"`,
  'xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/"',
  'xmlns:math="http://www.w3.org/1998/Math/MathML" xmlns:loext="urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0"',
].join(' ');

export const odfKinds = {
  odt: 'text',
  ods: 'spreadsheet',
  odp: 'presentation',
} as const;

export interface OdfMore {
  /** The automatic styles of the content, and what precedes its body. */
  automatic?: string;
  before?: string;
  /** The named styles and the master pages. */
  styles?: string;
  masters?: string;
  parts?: Record<string, string | Uint8Array>;
}

/** A file in OpenDocument with a body, and whatever else is given. */
export function openDocument(
  kind: keyof typeof odfKinds,
  body: string,
  { automatic = '', before = '', styles = '', masters = '', parts = {} }: OdfMore = {},
): Uint8Array {
  const element = odfKinds[kind];
  const files = {
    'content.xml': `<office:document-content ${odfNames} office:version="1.3">${before}<office:automatic-styles>${automatic}</office:automatic-styles><office:body><office:${element}>${body}</office:${element}></office:body></office:document-content>`,
    'styles.xml': `<office:document-styles ${odfNames} office:version="1.3"><office:styles>${styles}</office:styles><office:master-styles>${masters}</office:master-styles></office:document-styles>`,
    ...parts,
  };
  const entries = Object.keys(files).map(
    (name) => `<m:file-entry m:full-path="${name}" m:media-type="${mediaType(name)}"/>`,
  );
  return zipSync(
    Object.fromEntries(
      Object.entries({
        mimetype: mimes[kind],
        'META-INF/manifest.xml': `<m:manifest xmlns:m="${opendocument}:manifest:1.0"><m:file-entry m:full-path="/" m:media-type="${mimes[kind]}"/>${entries.join('')}</m:manifest>`,
        ...files,
      }).map(([name, text]) => [name, typeof text === 'string' ? strToU8(text) : text]),
    ),
  );
}

const mediaType = (name: string): string =>
  name.endsWith('.xml') ? 'text/xml' : name.endsWith('.png') ? 'image/png' : '';

/** The content of an embedded chart with a title and a table of cells. */
export const chartContent = (title: string, cells: string): string =>
  `<office:document-content ${odfNames}><office:body><office:chart><chart:chart><chart:title><text:p>${title}</text:p></chart:title><chart:plot-area/><table:table table:name="local-table"><table:table-row>${cells}</table:table-row></table:table></chart:chart></office:chart></office:body></office:document-content>`;

export const textParagraph = (text: string): string => `<text:p>${text}</text:p>`;
/** A cell with a text, or with the given attributes. */
export const tableCell = (text: string, attributes = 'office:value-type="string"'): string =>
  `<table:table-cell ${attributes}><text:p>${text}</text:p></table:table-cell>`;
/** A sheet with rows of cells. */
export const sheet = (name: string, ...rows: string[]): string =>
  `<table:table table:name="${name}">${rows.map((cells) => `<table:table-row>${cells}</table:table-row>`).join('')}</table:table>`;
/** A slide with shapes, and what follows them. */
export const slidePage = (shapes: string, after = ''): string =>
  `<draw:page draw:name="page1" draw:master-page-name="Default">${shapes}${after}</draw:page>`;
export const textFrame = (text: string): string =>
  `<draw:frame><draw:text-box>${textParagraph(text)}</draw:text-box></draw:frame>`;
