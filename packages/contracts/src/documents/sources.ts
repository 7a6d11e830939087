/** The media types that document operations can read. */
export const sources = {
  'application/pdf': { kind: 'pdf', paged: true },
  'image/png': { kind: 'image', paged: true },
  'image/jpeg': { kind: 'image', paged: true },
  'image/tiff': { kind: 'image', paged: true },
  'image/webp': { kind: 'image', paged: true },
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': {
    kind: 'docx',
    paged: false,
  },
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': {
    kind: 'xlsx',
    paged: false,
  },
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': {
    kind: 'pptx',
    paged: false,
  },
  'text/html': { kind: 'html', paged: false },
  'text/markdown': { kind: 'markdown', paged: false },
  'text/plain': { kind: 'text', paged: false },
  'application/json': { kind: 'json', paged: false },
  'application/xml': { kind: 'xml', paged: false },
  'image/svg+xml': { kind: 'svg', paged: false },
  'text/csv': { kind: 'csv', paged: false },
  'text/tab-separated-values': { kind: 'csv', paged: false },
  'application/vnd.oasis.opendocument.text': { kind: 'odt', paged: false },
  'application/vnd.oasis.opendocument.spreadsheet': { kind: 'ods', paged: false },
  'application/vnd.oasis.opendocument.presentation': { kind: 'odp', paged: false },
  'application/rtf': { kind: 'rtf', paged: false },
  'application/epub+zip': { kind: 'epub', paged: false },
  'message/rfc822': { kind: 'mail', paged: false },
} as const satisfies Record<string, SourceType>;

interface SourceType {
  kind: string;
  /**
   * Whether pages can be selected. In other files, a page is a sheet, a slide, or the whole file.
   */
  paged: boolean;
}

export type SourceMime = keyof typeof sources;
export type SourceKind = (typeof sources)[SourceMime]['kind'];
/** The types without pages. */
type UnpagedMime = {
  [Mime in SourceMime]: (typeof sources)[Mime]['paged'] extends false ? Mime : never;
}[SourceMime];
/** Files without pages, which `redact_pii` writes in their own format. */
export type UnpagedKind = (typeof sources)[UnpagedMime]['kind'];

/** The types that at least one operation can read. */
export const sourceMimes: readonly SourceMime[] = Object.keys(sources) as SourceMime[];
/** Whether a type can be read, and is not one of those with pages. */
export const isUnpaged = (mime: string): mime is UnpagedMime =>
  sourceMimes.some((name) => name === mime && !sources[name].paged);
/** Types with pages: PDF and images. */
export const pagedMimes: readonly SourceMime[] = sourceMimes.filter((mime) => sources[mime].paged);
