import {
  type Check,
  type Checked,
  isBoolean,
  isListOf,
  isNumber,
  isOneOf,
  isRecord,
  isString,
} from '@scriptorium/sandbox/checks';

/* Files inside a file without pages: pictures, and PDF files attached to messages. */

/** The types of embedded files in outputs. */
const embeddedMimes = ['application/pdf', 'image/png', 'image/jpeg', 'image/webp'] as const;
export type EmbeddedMime = (typeof embeddedMimes)[number];

const isDigest = (value: unknown): value is string =>
  isString(value) && /^[0-9a-f]{64}$/.test(value);
const isSize = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) > 0;

/** Why an embedded file is not read. */
export type UnreadReason = 'format' | 'damaged' | 'too_large' | 'too_many';

/** Maximum number of distinct embedded files that are redacted. */
export const maxEmbeddedFiles = 200;

/** An embedded file that was extracted to be redacted, in the type in which it is read. */
const isExtractedFile = isRecord({
  /** Identifies the bytes inside the source. */
  digest: isDigest,
  mime: isOneOf(...embeddedMimes, 'image/tiff'),
  /** Number of bytes. The files are written one after the other. */
  size: isSize,
});
export type ExtractedFile = Checked<typeof isExtractedFile>;

const areExtracted = isListOf(isExtractedFile);
export const isExtraction = isRecord({
  files: (value): value is readonly ExtractedFile[] =>
    areExtracted(value) && value.length <= maxEmbeddedFiles,
  /** The distinct embedded files that were not extracted, by reason. */
  unread: isRecord({
    format: isNumber,
    damaged: isNumber,
    too_large: isNumber,
    too_many: isNumber,
  } satisfies Record<UnreadReason, Check<number>>),
});
export type Extraction = Checked<typeof isExtraction>;

/** The redaction of an embedded file, which passed all checks. */
export const isEmbeddedRedaction = isRecord({
  digest: isDigest,
  mime: isOneOf(...embeddedMimes),
  path: isString,
  /** Whether content was removed. */
  isChanged: isBoolean,
});
export type EmbeddedRedaction = Checked<typeof isEmbeddedRedaction>;
