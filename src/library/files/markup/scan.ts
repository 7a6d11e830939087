import type { Readable } from 'node:stream';
import type { TextDecoder } from 'node:util';
import { createGunzip } from 'node:zlib';
import { ENCODING_BYTES, markupDecoder } from './encoding.ts';
import { hasActiveContent, OVERLAP } from './patterns.ts';
import { XmlScripts } from './xml-scripts.ts';

/** Larger files are not read: they count as scripted. */
const maxMarkupBytes = 16 * 2 ** 20;

/** The findings in a file so far. */
export interface Markup {
  /** Whether the first non-blank character opens a tag; null while everything is blank. */
  begins: boolean | null;
  /** The local name of the root element according to XML, in lower case. */
  root: string | null;
  /** Whether an element is in the SVG namespace. */
  drawn: boolean;
  /**
   * Whether it contains a script when parsed as XML, or is XML that parsers may interpret
   * differently.
   */
  runsAsXml: boolean;
  /** Whether its text has signs of a script, for any parser. */
  looksActive: boolean;
}

/** Scans a file in pieces, keeping only what is needed to parse the current tag. */
export class MarkupScan {
  readonly markup: Markup = {
    begins: null,
    root: null,
    drawn: false,
    runsAsXml: false,
    looksActive: false,
  };
  readonly #xml = new XmlScripts();
  #decoder: TextDecoder | null | undefined;
  #start: Buffer = Buffer.alloc(0);
  #rest = '';
  #bytes = 0;

  /** Scans the next piece. */
  write(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#bytes > maxMarkupBytes) this.#giveUp();
    if (this.#decoder === undefined) {
      this.#start = this.#start.length > 0 ? Buffer.concat([this.#start, piece]) : piece;
      if (this.#start.length < ENCODING_BYTES) return;
      this.#begin();
    } else this.#read(piece, false);
  }

  /** Ends the file. */
  end(): Markup {
    if (this.#decoder === undefined) this.#begin();
    this.#read(Buffer.alloc(0), true);
    return this.markup;
  }

  /** Whether the rest of the file can no longer change the result. */
  get decided(): boolean {
    const { begins, runsAsXml, looksActive, root } = this.markup;
    if (this.#bytes > maxMarkupBytes) return true;
    return begins === false || (runsAsXml && (looksActive || root === 'svg'));
  }

  #begin(): void {
    this.#decoder = markupDecoder(this.#start);
    if (this.#decoder === null) this.#giveUp();
    this.#read(this.#start, false);
    this.#start = Buffer.alloc(0);
  }

  #read(piece: Buffer, last: boolean): void {
    if (this.decided) return;
    const text = this.#decode(piece, last);
    const { markup } = this;
    // The first non-blank character after any byte order mark decides.
    const first = /[^\s\0\ufeff\xef\xbb\xbf\xff\xfe]/.exec(text)?.[0];
    if (markup.begins === null && first !== undefined) markup.begins = first === '<';
    if (markup.begins === false) return;
    const whole = this.#rest + text;
    markup.looksActive ||= hasActiveContent(whole);
    this.#rest = whole.slice(-OVERLAP);
    if (!this.#decoder) return;
    this.#xml.write(text);
    if (last) this.#xml.end();
    markup.root = this.#xml.root;
    markup.drawn = this.#xml.drawn;
    if (this.#xml.found) this.#giveUp();
  }

  #decode(piece: Buffer, last: boolean): string {
    try {
      if (this.#decoder) return this.#decoder.decode(piece, { stream: !last });
    } catch {
      this.#decoder = null;
      this.#giveUp();
    }
    // Only searched for signs of a script: it is no longer parsed as XML.
    return piece.toString('latin1').replaceAll('\0', '');
  }

  #giveUp(): void {
    this.markup.runsAsXml = true;
  }
}

/** Scans a whole file; `gzip` decompresses it first, as viewers of drawings do. */
export async function scanMarkup(stream: Readable, gzip = false): Promise<Markup> {
  const scan = new MarkupScan();
  const source = gzip ? stream.pipe(createGunzip()) : stream;
  if (gzip) stream.once('error', (error) => source.destroy(error));
  try {
    for await (const piece of source) {
      const chunk: unknown = piece;
      if (!(chunk instanceof Uint8Array)) throw new TypeError('Expected a stream of bytes.');
      scan.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length));
      if (scan.decided) break;
    }
  } catch (error) {
    if (!gzip || !isDamaged(error)) throw error;
    scan.markup.runsAsXml = true;
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
