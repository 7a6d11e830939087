import { readFile } from 'node:fs/promises';
import type { EmbeddedRedaction } from '../../contract/embedded.ts';
import { digestOfFile, type EmbeddedFiles, type ProvenFile } from './files.ts';

/** The redactions of the files inside a file, and which of them it contains. */
export interface ProvenFiles extends EmbeddedFiles {
  /** Whether a file of an output is one of these redactions. */
  isProven(bytes: Uint8Array): boolean;
  /** The numbers of distinct embedded files that were used, unchanged or with removals. */
  used(): { kept: number; redacted: number };
}

/** Reads the redactions of embedded files, which passed their checks. */
export async function readProvenFiles(
  redactions: readonly EmbeddedRedaction[],
): Promise<ProvenFiles> {
  const files = new Map<string, { proven: ProvenFile; isChanged: boolean }>();
  const provenDigests = new Set<string>();
  for (const { digest, mime, path, isChanged } of redactions) {
    const bytes = await readFile(path);
    provenDigests.add(digestOfFile(bytes));
    files.set(digest, { proven: { mime, bytes }, isChanged });
  }
  const used = new Set<string>();
  return {
    provenOf(bytes, use) {
      const digest = digestOfFile(bytes);
      const file = files.get(digest);
      if (!file || (use === 'picture' && file.proven.mime === 'application/pdf')) return null;
      used.add(digest);
      return file.proven;
    },
    isProven: (bytes) => provenDigests.has(digestOfFile(bytes)),
    used() {
      const changed = [...used].filter((digest) => files.get(digest)?.isChanged).length;
      return { kept: used.size - changed, redacted: changed };
    },
  };
}
