/** The types of object that document operations can read, and what each is to them. */
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
} as const satisfies Record<string, SourceType>;

interface SourceType {
  kind: 'pdf' | 'image' | 'docx' | 'xlsx' | 'html' | 'markdown' | 'text' | 'csv';
  /** Has pages that can be chosen. Of the others a sheet is a page, or the whole. */
  paged: boolean;
}

export type SourceMime = keyof typeof sources;
export type SourceKind = (typeof sources)[SourceMime]['kind'];
export type UnpagedKind = Exclude<SourceKind, 'pdf' | 'image'>;

const mimesOf = (kinds: readonly SourceKind[]): SourceMime[] =>
  (Object.keys(sources) as SourceMime[]).filter((mime) => kinds.includes(sources[mime].kind));

/** Everything that some operation can read. */
export const sourceMimes: readonly SourceMime[] = Object.keys(sources) as SourceMime[];
/** Sources whose pages are recognised: PDF and pictures. */
export const pagedMimes: readonly SourceMime[] = mimesOf(['pdf', 'image']);
