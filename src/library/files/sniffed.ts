export const UNKNOWN = 'application/octet-stream';
export const GZIP = 'application/gzip';

/** What a file is. */
export interface Sniffed {
  mime: string;
  /** A machine or a shell would run it. */
  executable: boolean;
  /** It holds scripts that a viewer would run (SVG, HTML, XML) or macros (office files). */
  scripted: boolean;
  /** More of the file may change this: ask `lookThrough` (traits.ts) about all of it. */
  scanNeeded: boolean;
}

/** What the client says about a file; `bytes` is the length of all of it where that is known. */
export interface SniffHints {
  filename?: string | undefined;
  declaredMime?: string | undefined;
  bytes?: number | undefined;
}

/** A file that can do nothing but be shown, or be run. */
export function plain(mime: string, executable = false): Sniffed {
  return { mime, executable, scripted: false, scanNeeded: false };
}
