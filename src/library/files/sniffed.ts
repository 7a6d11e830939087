export const UNKNOWN = 'application/octet-stream';
export const GZIP = 'application/gzip';

/** The detected type of a file. */
export interface Sniffed {
  mime: string;
  /** Whether an operating system or a shell would run it. */
  executable: boolean;
  /**
   * Whether it contains scripts that a viewer would run (SVG, HTML, XML) or macros (office files).
   */
  scripted: boolean;
  /**
   * Whether the rest of the file may change this: `lookThrough` (traits.ts) reads markup to its
   * end, and the directory at the end of an archive. Until then the type of an archive is a guess.
   */
  scanNeeded: false | 'markup' | 'archive';
}

/** What the client declares of the file; `bytes` is its full length, if known. */
export interface SniffHints {
  filename?: string | undefined;
  declaredMime?: string | undefined;
  bytes?: number | undefined;
}

/** A file without scripts that can only be displayed or run. */
export function plain(mime: string, executable = false): Sniffed {
  return { mime, executable, scripted: false, scanNeeded: false };
}
