import type { Readable } from 'node:stream';
import type { TextDecoder } from 'node:util';
import { createGunzip } from 'node:zlib';
import { ENCODING_BYTES, markupDecoder } from './encoding.ts';
import { hasActiveContent, OVERLAP } from './patterns.ts';
import { XmlScripts } from './xml-scripts.ts';

/** What is longer is not read: it counts as scripted. */
export const maxMarkupBytes = 16 * 2 ** 20;

/** What was found in a file so far. */
export interface Markup {
  /** The first character that is not blank opens a tag; null while all is blank. */
  begins: boolean | null;
  /** The local name of the root element as XML has it, in lower case. */
  root: string | null;
  /** An element is in the namespace of SVG. */
  drawn: boolean;
  /** Read as XML it holds a script, or it is not XML that every parser reads alike. */
  runsAsXml: boolean;
  /** Its text has signs of a script, whatever reads it. */
  looksActive: boolean;
}

/** Looks through a file in pieces. Nothing of it is kept but what a tag needs to be read. */
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

  /** Reads on. */
  write(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#bytes > maxMarkupBytes) this.#giveUp();
    if (this.#decoder === undefined) {
      this.#start = this.#start.length > 0 ? Buffer.concat([this.#start, piece]) : piece;
      if (this.#start.length < ENCODING_BYTES) return;
      this.#begin();
    } else this.#read(piece, false);
  }

  /** The file ends here. */
  end(): Markup {
    if (this.#decoder === undefined) this.#begin();
    this.#read(Buffer.alloc(0), true);
    return this.markup;
  }

  /** True when what follows can make no difference. */
  get settled(): boolean {
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
    if (this.settled) return;
    const text = this.#decode(piece, last);
    const { markup } = this;
    // What decides is the first character that is not blank, and no sign of how it is encoded.
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
    // Only for its signs: as XML it has been given up.
    return piece.toString('latin1').replaceAll('\0', '');
  }

  #giveUp(): void {
    this.markup.runsAsXml = true;
  }
}

/** Looks through the whole of a file; `gzip` unpacks it first, as viewers of drawings do. */
export async function scanMarkup(stream: Readable, gzip = false): Promise<Markup> {
  const scan = new MarkupScan();
  const source = gzip ? stream.pipe(createGunzip()) : stream;
  if (gzip) stream.once('error', (error) => source.destroy(error));
  try {
    for await (const piece of source) {
      const chunk: unknown = piece;
      if (!(chunk instanceof Uint8Array)) throw new TypeError('A stream of bytes is needed.');
      scan.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length));
      if (scan.settled) break;
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

/** What zlib says of bytes that are not what they claim to be. */
function isDamaged(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(?:Z_|ERR_BUFFER)/.test(String(error.code));
}
