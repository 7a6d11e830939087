import type { Transform } from 'node:stream';
import { MultipartParser } from 'formidable';

/** One thing the parser found: for headers and data a piece of it, else no bytes. */
export interface Token {
  name: string;
  bytes: Buffer;
}

/** About what a socket hands over at once. */
const pieceBytes = 64 * 1024;
const none = Buffer.alloc(0);

/**
 * A parser of multipart bodies: bytes in, tokens out (formidable's, whose readable side is in object
 * mode).
 */
export function createTokens(boundary: string): Transform & AsyncIterable<Token> {
  const parser = new Tokens();
  parser.initWithBoundary(boundary);
  return parser;
}

/**
 * The data that one piece of the body holds comes out as one token. The parser itself makes a token
 * of every byte that might have begun a boundary, so that a file of nothing but line ends would cost
 * seconds of work, and lends out a buffer that it goes on writing to.
 */
class Tokens extends MultipartParser {
  #data = none;
  #held = 0;

  override _transform(piece: Buffer, encoding: unknown, done: (error?: Error) => void): number {
    return super._transform(piece, encoding, (error?: Error) => {
      this.#release();
      this.#data = none;
      done(error);
    });
  }

  override _handleCallback(name: string, buffer?: Buffer, start = 0, end = 0): void {
    if (name === 'partData' && buffer) {
      if (this.#held + end - start > this.#data.length) {
        this.#release();
        this.#data = Buffer.allocUnsafe(Math.max(end - start, pieceBytes));
      }
      this.#held += buffer.copy(this.#data, this.#held, start, end);
      return;
    }
    this.#release();
    const bytes = buffer ? Buffer.from(buffer.subarray(start, end)) : none;
    if (!buffer || bytes.length > 0) this.push({ name, bytes } satisfies Token);
  }

  #release(): void {
    if (this.#held === 0) return;
    const bytes = this.#data.subarray(0, this.#held);
    this.#data = this.#data.subarray(this.#held);
    this.#held = 0;
    this.push({ name: 'partData', bytes } satisfies Token);
  }
}
