import type { Readable } from 'node:stream';
import type { TextDecoder } from 'node:util';
import { createGunzip } from 'node:zlib';
import { hasActiveContent, OVERLAP } from './active-content.ts';
import { ENCODING_BYTES, markupDecoder } from './encoding.ts';
import { XmlScriptDetector } from './xml-script-detector.ts';

/** Larger files are not read completely, and count as scripted. */
const maxMarkupBytes = 16 * 2 ** 20;

/** The findings in a file so far. */
export interface MarkupFindings {
  /** Whether the first non-blank character opens a tag; null while everything is blank. */
  startsWithTag: boolean | null;
  /** The local name of the root element according to XML, in lower case. */
  root: string | null;
  /** Whether an element is in the SVG namespace. */
  hasSvgElement: boolean;
  /**
   * Whether it contains a script when parsed as XML, or is XML that parsers may interpret
   * differently.
   */
  runsAsXml: boolean;
  /** Whether its text has signs of a script, for any parser. */
  hasActiveText: boolean;
}

/** Scans a file in pieces, keeping only what is needed to parse the current tag. */
export class MarkupScan {
  readonly findings: MarkupFindings = {
    startsWithTag: null,
    root: null,
    hasSvgElement: false,
    runsAsXml: false,
    hasActiveText: false,
  };
  readonly #xml = new XmlScriptDetector();
  #decoder: TextDecoder | null | undefined;
  #start: Buffer = Buffer.alloc(0);
  overlap = '';
  #bytes = 0;

  /** Scans the next piece. */
  write(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#bytes > maxMarkupBytes) this.assumeScripted();
    if (this.#decoder === undefined) {
      this.#start = this.#start.length > 0 ? Buffer.concat([this.#start, piece]) : piece;
      if (this.#start.length < ENCODING_BYTES) return;
      this.detectEncoding();
    } else this.scan(piece, false);
  }

  /** Ends the file. */
  end(): MarkupFindings {
    if (this.#decoder === undefined) this.detectEncoding();
    this.scan(Buffer.alloc(0), true);
    return this.findings;
  }

  /** Whether the rest of the file can no longer change the result. */
  get isDecided(): boolean {
    const { startsWithTag, runsAsXml, hasActiveText, root } = this.findings;
    if (this.#bytes > maxMarkupBytes) return true;
    return startsWithTag === false || (runsAsXml && (hasActiveText || root === 'svg'));
  }

  detectEncoding(): void {
    this.#decoder = markupDecoder(this.#start);
    if (this.#decoder === null) this.assumeScripted();
    this.scan(this.#start, false);
    this.#start = Buffer.alloc(0);
  }

  scan(piece: Buffer, isLast: boolean): void {
    if (this.isDecided) return;
    const text = this.#decode(piece, isLast);
    const { findings } = this;
    // Markup starts with < after any byte order mark and blanks.
    const first = /[^\s\0\ufeff\xef\xbb\xbf\xff\xfe]/.exec(text)?.[0];
    if (findings.startsWithTag === null && first !== undefined)
      findings.startsWithTag = first === '<';
    if (findings.startsWithTag === false) return;
    const window = this.overlap + text;
    findings.hasActiveText ||= hasActiveContent(window);
    this.overlap = window.slice(-OVERLAP);
    if (!this.#decoder) return;
    this.#xml.write(text);
    if (isLast) this.#xml.end();
    findings.root = this.#xml.root;
    findings.hasSvgElement = this.#xml.hasSvgElement;
    if (this.#xml.hasScript) this.assumeScripted();
  }

  #decode(piece: Buffer, isLast: boolean): string {
    try {
      if (this.#decoder) return this.#decoder.decode(piece, { stream: !isLast });
    } catch {
      this.#decoder = null;
      this.assumeScripted();
    }
    // The text is only searched for signs of a script, and no longer parsed as XML.
    return piece.toString('latin1').replaceAll('\0', '');
  }

  assumeScripted(): void {
    this.findings.runsAsXml = true;
  }
}

/** Scans a whole file; `gzip` decompresses it first, as viewers of drawings do. */
export async function scanMarkup(stream: Readable, gzip = false): Promise<MarkupFindings> {
  const scan = new MarkupScan();
  const source = gzip ? stream.pipe(createGunzip()) : stream;
  if (gzip) stream.once('error', (error) => source.destroy(error));
  try {
    for await (const piece of source) {
      const chunk: unknown = piece;
      if (!(chunk instanceof Uint8Array)) throw new TypeError('Expected a stream of bytes.');
      scan.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length));
      if (scan.isDecided) break;
    }
  } catch (error) {
    if (!gzip || !isDamaged(error)) throw error;
    scan.findings.runsAsXml = true;
  } finally {
    stream.destroy();
    source.destroy();
  }
  return scan.end();
}

/** Whether zlib rejected the bytes as invalid. */
function isDamaged(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(?:Z_|ERR_BUFFER)/.test(String(error.code));
}
