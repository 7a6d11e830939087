import { Problem } from '../../contracts/problems.ts';
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
const newline = Buffer.from('\r\n');
const headersEnd = Buffer.from('\r\n\r\n');

/**
 * Reads a multipart/form-data body (RFC 7578) piece by piece: nothing is held but the headers of one
 * part, and those are limited. Boundaries are found by `indexOf`, which costs the same for any bytes;
 * a parser that looks at each one (formidable) took a minute for 100 MiB of carriage returns.
 * @throws Problem 400 for what is no such body, 413 for too many parts
 */
export async function* readForm(
  pieces: AsyncIterable<Buffer>,
  boundary: string,
): AsyncGenerator<FormEvent, void, undefined> {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  // The first delimiter has no line before it; with one, it is like all others.
  let held: Buffer = newline;
  let place: 'preamble' | 'delimiter' | 'headers' | 'data' | 'epilogue' = 'preamble';
  let parts = 0;
  for await (const piece of pieces) {
    if (place === 'epilogue') continue;
    held = Buffer.concat([held, piece]);
    for (;;) {
      if (place === 'preamble' || place === 'data') {
        const at = held.indexOf(delimiter);
        // What is at the end may be the start of a delimiter.
        const bytes = held.subarray(
          0,
          at < 0 ? Math.max(0, held.length - delimiter.length + 1) : at,
        );
        if (place === 'data' && bytes.length > 0) yield { kind: 'bytes', bytes };
        held = held.subarray(bytes.length);
        if (at < 0) break;
        if (place === 'data') yield { kind: 'end' };
        held = held.subarray(delimiter.length);
        place = 'delimiter';
      } else if (place === 'delimiter') {
        const end = endOfDelimiter(held);
        if (end === 'unknown') break;
        if (end === 'last') {
          place = 'epilogue';
          break;
        }
        parts += 1;
        if (parts > partCount) {
          throw new Problem('payload_too_large', `A form may have at most ${partCount} parts.`);
        }
        held = held.subarray(end);
        place = 'headers';
      } else {
        const at = held.indexOf(headersEnd);
        if (at > headerBytes || (at < 0 && held.length > headerBytes)) {
          throw malformed(`A part's headers are longer than ${headerBytes} bytes.`);
        }
        if (at < 0) break;
        yield { kind: 'part', part: readPart(held.subarray(0, at)) };
        held = held.subarray(at + headersEnd.length);
        place = 'data';
      }
    }
  }
  if (place === 'preamble') {
    throw malformed('The body is not the multipart form that its Content-Type says.');
  }
  if (place !== 'epilogue') throw malformed('The form ends before its last boundary.');
  if (parts === 0) throw malformed('The form has no parts.');
}

/** What follows a delimiter: `--` after the last, else the end of its line, padded or not. */
function endOfDelimiter(held: Buffer): number | 'last' | 'unknown' {
  if (held.length < 2) return 'unknown';
  if (held[0] === 0x2d && held[1] === 0x2d) return 'last';
  let at = 0;
  while (held[at] === 0x20 || held[at] === 0x09) at += 1;
  if (held.length < at + 2 && at < headerBytes) return 'unknown';
  if (held[at] === 0x0d && held[at + 1] === 0x0a) return at;
  throw malformed('The body is not the multipart form that its Content-Type says.');
}

/** @throws Problem for a part that is not a field or a file in its plain form */
function readPart(block: Buffer): Part {
  const headers = readHeaders(block);
  const disposition = parseHeaderValue(headers.get('content-disposition') ?? '');
  const name = disposition?.parameters.get('name');
  if (disposition?.value !== 'form-data' || name === undefined || name === '') {
    throw malformed('A part has no well-formed Content-Disposition: form-data; name="…".');
  }
  const type = headers.get('content-type') ?? null;
  if (type !== null && /^multipart\//i.test(type)) {
    throw malformed('A part may not be a multipart body itself (RFC 7578 §4.3).');
  }
  const coding = headers.get('content-transfer-encoding')?.toLowerCase() ?? 'binary';
  if (!['binary', '8bit', '7bit'].includes(coding)) {
    throw new Problem(
      'unsupported_media_type',
      'Send the bytes of a part as they are, without a Content-Transfer-Encoding.',
    );
  }
  return { name: decodeEscapes(name), filename: filenameOf(disposition.parameters), type };
}

function readHeaders(block: Buffer): Map<string, string> {
  const text = decodeUtf8(block);
  if (text === null) throw malformed(`A part's header is not UTF-8.`);
  const headers = new Map<string, string>();
  for (const line of text.split('\r\n').slice(1)) {
    const found = /^([\w!#$%&'*+.^`|~-]+):[ \t]*(.*)$/s.exec(line);
    const [, name, value] = found ?? [];
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what has no place in a header
    if (!name || value === undefined || /[\x00-\x08\x0a-\x1f\x7f]/.test(value)) {
      throw malformed(`A part's header is not well-formed.`);
    }
    if (headers.has(name.toLowerCase()) || headers.size >= headerCount) {
      throw malformed('A part has a header twice, or too many of them.');
    }
    headers.set(name.toLowerCase(), value.trim());
  }
  return headers;
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
