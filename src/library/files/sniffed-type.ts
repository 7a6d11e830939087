export const UNKNOWN = 'application/octet-stream';
export const GZIP = 'application/gzip';

/** The detected type of a file. */
export interface SniffedType {
  mime: string;
  /** Whether an operating system or a shell would run it. */
  executable: boolean;
  /**
   * Whether it contains scripts that a viewer would run (SVG, HTML, XML) or macros (office files).
   */
  scripted: boolean;
  /**
   * Whether the rest of the file may change this: `readTypeAndTraits` (traits.ts) reads markup to its
   * end, or the directory at the end of an archive. Until then, the type of an archive is a guess.
   */
  scanNeeded: false | 'markup' | 'archive';
}

/** The declarations of the client; `bytes` is the full length of the file, if known. */
export interface SniffHints {
  filename?: string | undefined;
  declaredMime?: string | undefined;
  bytes?: number | undefined;
}

/** The type of a file without scripts, which the rest of the file cannot change. */
export function typeWithoutScripts(mime: string, executable = false): SniffedType {
  return { mime, executable, scripted: false, scanNeeded: false };
}
