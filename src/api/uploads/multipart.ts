import { pipeline } from 'node:stream/promises';
import { Problem } from '../../contracts/problems.ts';
import { createTokens, type Token } from './form-tokens.ts';
import { decodeExtended, decodeUtf8, parseHeaderValue } from './header-values.ts';

/** What a part says about itself. */
export interface Part {
  name: string;
  /** Null when the part does not claim to be a file. */
  filename: string | null;
  type: string | null;
}

/** A form as it is read: a part begins, its bytes follow, it ends. */
export type FormEvent =
  | { kind: 'part'; part: Part }
  | { kind: 'bytes'; bytes: Buffer }
  | { kind: 'end' };

const headerBytes = 8 * 1024;
const headerCount = 20;
const partCount = 128;

/**
 * Reads a multipart/form-data body (RFC 7578) piece by piece: nothing is held but the headers of one
 * part, and those are limited. The parser finds boundaries; headers are read here, since what a part
 * is called and whether it is a file must not be guessed.
 * @throws Problem 400 for what is no such body, 413 for too many parts
 */
export async function* readForm(
  pieces: AsyncIterable<Buffer>,
  boundary: string,
): AsyncGenerator<FormEvent, void, undefined> {
  const parser = createTokens(boundary);
  // What goes wrong on the way in ends the parser, and so the loop below, with the same error.
  pipeline(pieces, parser).catch(() => undefined);
  let headers = new PartHeaders();
  let parts = 0;
  let ended = false;
  try {
    for await (const token of parser as AsyncIterable<Token>) {
      switch (token.name) {
        case 'partBegin':
          parts += 1;
          if (parts > partCount) {
            throw new Problem('payload_too_large', `A form may have at most ${partCount} parts.`);
          }
          headers = new PartHeaders();
          break;
        case 'headerField':
          headers.addToName(token.bytes);
          break;
        case 'headerValue':
          headers.addToValue(token.bytes);
          break;
        case 'headerEnd':
          headers.endOne();
          break;
        case 'headersEnd':
          yield { kind: 'part', part: headers.read() };
          break;
        case 'partData':
          yield { kind: 'bytes', bytes: token.bytes };
          break;
        case 'partEnd':
          yield { kind: 'end' };
          break;
        case 'end':
          ended = true;
          break;
      }
    }
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw malformed('The body is not the multipart form that its Content-Type says.');
  } finally {
    // The feeding ends with the next bytes, which nobody has time to wait for.
    parser.destroy();
  }
  if (!ended) throw malformed('The form ends before its last boundary.');
  if (parts === 0) throw malformed('The form has no parts.');
}

/** The headers of one part, as they are read. */
class PartHeaders {
  #left = headerBytes;
  #name: Buffer[] = [];
  #value: Buffer[] = [];
  readonly #headers = new Map<string, string>();

  addToName(bytes: Buffer): void {
    this.#take(bytes.length);
    this.#name.push(bytes);
  }

  addToValue(bytes: Buffer): void {
    this.#take(bytes.length);
    this.#value.push(bytes);
  }

  endOne(): void {
    const name = Buffer.concat(this.#name).toString('latin1').toLowerCase();
    const value = decodeUtf8(Buffer.concat(this.#value));
    this.#name = [];
    this.#value = [];
    if (value === null) throw malformed(`A part's header is not UTF-8.`);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what has no place in a header
    if (/[\x00-\x08\x0a-\x1f\x7f]/.test(value)) {
      throw malformed(`A part's header has a control character in it.`);
    }
    if (this.#headers.has(name) || this.#headers.size >= headerCount) {
      throw malformed('A part has a header twice, or too many of them.');
    }
    this.#headers.set(name, value.trim());
  }

  /** @throws Problem for a part that is not a field or a file in its plain form */
  read(): Part {
    const disposition = parseHeaderValue(this.#headers.get('content-disposition') ?? '');
    const name = disposition?.parameters.get('name');
    if (disposition?.value !== 'form-data' || name === undefined || name === '') {
      throw malformed('A part has no well-formed Content-Disposition: form-data; name="…".');
    }
    const type = this.#headers.get('content-type') ?? null;
    if (type !== null && /^\s*multipart\//i.test(type)) {
      throw malformed('A part may not be a multipart body itself (RFC 7578 §4.3).');
    }
    const coding = this.#headers.get('content-transfer-encoding')?.toLowerCase() ?? 'binary';
    if (!['binary', '8bit', '7bit'].includes(coding)) {
      throw new Problem(
        'unsupported_media_type',
        'Send the bytes of a part as they are, without a Content-Transfer-Encoding.',
      );
    }
    return { name: decodeEscapes(name), filename: filenameOf(disposition.parameters), type };
  }

  #take(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) throw malformed(`A part's headers are longer than ${headerBytes} bytes.`);
  }
}

/** `filename*` tells more than `filename`, which stays for clients that know no better. */
function filenameOf(parameters: Map<string, string>): string | null {
  const extended = parameters.get('filename*');
  if (extended !== undefined) {
    const decoded = decodeExtended(extended);
    if (decoded === null) throw malformed(`A part's filename* is not a value of RFC 8187.`);
    return decoded;
  }
  const plain = parameters.get('filename');
  return plain === undefined ? null : decodeEscapes(plain);
}

/** What browsers escape in names: https://html.spec.whatwg.org/#escape-a-multipart-form-data-name */
function decodeEscapes(text: string): string {
  return text.replace(/%0D|%0A|%22/gi, (code) => decodeURIComponent(code));
}

function malformed(detail: string): Problem {
  return new Problem('malformed_request', detail);
}
