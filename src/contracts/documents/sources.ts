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
  'text/html': { kind: 'html', paged: false },
  'text/markdown': { kind: 'markdown', paged: false },
  'text/plain': { kind: 'text', paged: false },
  'text/csv': { kind: 'csv', paged: false },
  'text/tab-separated-values': { kind: 'csv', paged: false },
} as const satisfies Record<string, SourceType>;

interface SourceType {
  kind: 'pdf' | 'image' | 'docx' | 'xlsx' | 'html' | 'markdown' | 'text' | 'csv';
  /** Whether pages can be selected. In other files a page is a sheet, or the whole file. */
  paged: boolean;
}

export type SourceMime = keyof typeof sources;
export type SourceKind = (typeof sources)[SourceMime]['kind'];
export type UnpagedKind = Exclude<SourceKind, 'pdf' | 'image'>;

const mimesOf = (kinds: readonly SourceKind[]): SourceMime[] =>
  (Object.keys(sources) as SourceMime[]).filter((mime) => kinds.includes(sources[mime].kind));

/** The types that at least one operation can read. */
export const sourceMimes: readonly SourceMime[] = Object.keys(sources) as SourceMime[];
/** Types with pages: PDF and images. */
export const pagedMimes: readonly SourceMime[] = mimesOf(['pdf', 'image']);
