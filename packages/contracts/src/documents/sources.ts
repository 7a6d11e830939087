/** The media types that document operations can read. */
export const sources = {
  'application/pdf': { kind: 'pdf', paged: true, redactable: true },
  'image/png': { kind: 'image', paged: true, redactable: true },
  'image/jpeg': { kind: 'image', paged: true, redactable: true },
  'image/tiff': { kind: 'image', paged: true, redactable: true },
  'image/webp': { kind: 'image', paged: true, redactable: true },
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': {
    kind: 'docx',
    paged: false,
    redactable: true,
  },
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': {
    kind: 'xlsx',
    paged: false,
    redactable: true,
  },
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': {
    kind: 'pptx',
    paged: false,
    redactable: true,
  },
  'text/html': { kind: 'html', paged: false, redactable: true },
  'text/markdown': { kind: 'markdown', paged: false, redactable: true },
  'text/plain': { kind: 'text', paged: false, redactable: true },
  'text/csv': { kind: 'csv', paged: false, redactable: true },
  'text/tab-separated-values': { kind: 'csv', paged: false, redactable: true },
  'application/vnd.oasis.opendocument.text': { kind: 'odt', paged: false, redactable: true },
  'application/vnd.oasis.opendocument.spreadsheet': {
    kind: 'ods',
    paged: false,
    redactable: true,
  },
  'application/vnd.oasis.opendocument.presentation': {
    kind: 'odp',
    paged: false,
    redactable: true,
  },
  'application/rtf': { kind: 'rtf', paged: false, redactable: true },
  'application/epub+zip': { kind: 'epub', paged: false, redactable: false },
  'message/rfc822': { kind: 'mail', paged: false, redactable: true },
} as const satisfies Record<string, SourceType>;

interface SourceType {
  kind: RedactableKind | UnredactableKind;
  /**
   * Whether pages can be selected. In other files, a page is a sheet, a slide, or the whole file.
   */
  paged: boolean;
  /** Whether `redact_pii` can write the format. */
  redactable: boolean;
}

type RedactableKind =
  | 'pdf'
  | 'image'
  | 'docx'
  | 'xlsx'
  | 'pptx'
  | 'odt'
  | 'ods'
  | 'odp'
  | 'html'
  | 'markdown'
  | 'text'
  | 'csv'
  | 'mail'
  | 'rtf';
type UnredactableKind = 'epub';

export type SourceMime = keyof typeof sources;
export type SourceKind = (typeof sources)[SourceMime]['kind'];
export type UnpagedKind = Exclude<SourceKind, 'pdf' | 'image'>;
/** Files without pages that `redact_pii` writes in their own format. */
export type RedactableUnpagedKind = Exclude<UnpagedKind, UnredactableKind>;

const unredactable: readonly SourceKind[] = [
  ...(['epub'] satisfies UnredactableKind[]),
];
export const isRedactableUnpaged = (kind: SourceKind): kind is RedactableUnpagedKind =>
  kind !== 'pdf' && kind !== 'image' && !unredactable.includes(kind);

/** The types that at least one operation can read. */
export const sourceMimes: readonly SourceMime[] = Object.keys(sources) as SourceMime[];
/** Whether a type can be read, and is not one of those with pages. */
export const isUnpaged = (mime: string): mime is SourceMime =>
  sourceMimes.some((name) => name === mime && !sources[name].paged);
/** Types with pages: PDF and images. */
export const pagedMimes: readonly SourceMime[] = sourceMimes.filter((mime) => sources[mime].paged);
/** Types that `redact_pii` can read and write. */
export const redactableMimes: readonly SourceMime[] = sourceMimes.filter(
  (mime) => sources[mime].redactable,
);
