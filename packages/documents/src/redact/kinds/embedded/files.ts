import { createHash } from 'node:crypto';
import type { EmbeddedMime } from '../../contract/embedded.ts';

/** Where a file is embedded: as a picture of a document, or as an attachment of a message. */
export type EmbeddedUse = 'picture' | 'attachment';

/** The redaction of an embedded file, which passed all checks of its kind. */
export interface ProvenFile {
  mime: EmbeddedMime;
  bytes: Uint8Array;
}

/** The files inside a file, which are read, redacted and checked on their own. */
export interface EmbeddedFiles {
  /** Returns the redaction of an embedded file; null if it must be left out. */
  provenOf(bytes: Uint8Array, use: EmbeddedUse): ProvenFile | null;
  /**
   * Returns the new id of a part of the same message to which a text refers, without `cid:`.
   * Default: there are no such parts.
   */
  idOfPart?(id: string): string | undefined;
}

/** Without redactions, all embedded files are left out. */
export const noEmbeddedFiles: EmbeddedFiles = { provenOf: () => null };

/** The digest that identifies an embedded file, so that copies are redacted once. */
export const digestOfFile = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');

const startOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(1024, bytes.length)).toString('latin1');

/** Returns the type of a file that can be redacted as an embedded file, by its first bytes. */
export function embeddedTypeOf(bytes: Uint8Array): EmbeddedMime | 'image/tiff' | null {
  const start = startOf(bytes);
  if (start.startsWith('\x89PNG')) return 'image/png';
  if (start.startsWith('\xff\xd8')) return 'image/jpeg';
  if (start.startsWith('RIFF') && start.slice(8, 12) === 'WEBP') return 'image/webp';
  if (/^(?:II[*+]\0|MM\0[*+])/.test(start)) return 'image/tiff';
  // Readers accept other bytes before the header.
  return start.includes('%PDF-') ? 'application/pdf' : null;
}

/** Extensions of the names of embedded files in outputs, by type. */
export const embeddedExtensions: Readonly<Record<EmbeddedMime, string>> = {
  'application/pdf': 'pdf',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
};

/** The names of pictures in the output of a package: `picture1.png` in a folder. */
export const pictureName = /(?:^|\/)picture\d+\.(?:png|jpg|webp)$/;

/** Numbers the distinct pictures of a package in the order in which it refers to them. */
export function createPictureFiles(
  embedded: EmbeddedFiles,
  folder: string,
): {
  /** Returns the name of a picture in the output; null if the picture is left out. */
  nameOf(bytes: Uint8Array | undefined): string | null;
  /** The pictures of the output by name. */
  files: ReadonlyMap<string, ProvenFile>;
} {
  const names = new Map<ProvenFile, string>();
  const files = new Map<string, ProvenFile>();
  return {
    nameOf(bytes) {
      const proven = bytes ? embedded.provenOf(bytes, 'picture') : null;
      if (!proven) return null;
      const existing = names.get(proven);
      if (existing !== undefined) return existing;
      const name = `${folder}picture${files.size + 1}.${embeddedExtensions[proven.mime]}`;
      names.set(proven, name);
      files.set(name, proven);
      return name;
    },
    files,
  };
}
