/** The types of object that document operations can read. */
export const sourceMimes = [
  'application/pdf',
  'image/png',
  'image/jpeg',
  'image/tiff',
  'image/webp',
] as const;

export type SourceMime = (typeof sourceMimes)[number];
