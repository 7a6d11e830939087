import { Problem } from '@scriptorium/contracts/problems';
import { decodeExtended, decodeUtf8, parseHeaderValue } from './header-values.ts';

/** The headers of a part. */
export interface PartHeaders {
  name: string;
  /** Null if the part is not a file. */
  filename: string | null;
  type: string | null;
}

/** The events of reading a form: a part starts, its bytes follow, it ends. */
export type FormEvent =
  | { kind: 'part'; part: PartHeaders }
  | { kind: 'bytes'; bytes: Buffer }
  | { kind: 'end' };

const headerBytes = 8 * 1024;
const headerCount = 20;
const partCount = 128;
const newline = Buffer.from('\r\n');
const headersEnd = Buffer.from('\r\n\r\n');

/**
 * Parses a multipart/form-data body (RFC 7578) as a stream. Only the headers of one part are
 * buffered, and those are limited. Boundaries are found with `indexOf`, whose cost does not depend
 * on the content; a parser that inspects each byte (formidable) took a minute for 100 MiB of
 * carriage returns.
 * @throws Problem 400 for a malformed body, 413 for too many parts
 */
export async function* readForm(
  pieces: AsyncIterable<Buffer>,
  boundary: string,
): AsyncGenerator<FormEvent, void, undefined> {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  // The first delimiter has no preceding line break; with one added, it is like all others.
  let buffered: Buffer = newline;
  let place: 'preamble' | 'delimiter' | 'headers' | 'data' | 'epilogue' = 'preamble';
  let parts = 0;
  for await (const piece of pieces) {
    if (place === 'epilogue') continue;
    buffered = Buffer.concat([buffered, piece]);
    for (;;) {
      if (place === 'preamble' || place === 'data') {
        const at = buffered.indexOf(delimiter);
        // The end may be the start of a delimiter.
        const bytes = buffered.subarray(
          0,
          at < 0 ? Math.max(0, buffered.length - delimiter.length + 1) : at,
        );
        if (place === 'data' && bytes.length > 0) yield { kind: 'bytes', bytes };
        buffered = buffered.subarray(bytes.length);
        if (at < 0) break;
        if (place === 'data') yield { kind: 'end' };
        buffered = buffered.subarray(delimiter.length);
        place = 'delimiter';
      } else if (place === 'delimiter') {
        const end = endOfDelimiter(buffered);
        if (end === 'unknown') break;
        if (end === 'last') {
          place = 'epilogue';
          break;
        }
        parts += 1;
        if (parts > partCount) {
          throw new Problem('payload_too_large', `The form must have at most ${partCount} parts.`);
        }
        buffered = buffered.subarray(end);
        place = 'headers';
      } else {
        const at = buffered.indexOf(headersEnd);
        if (at > headerBytes || (at < 0 && buffered.length > headerBytes)) {
          throw malformed(`The headers of a part must have at most ${headerBytes} bytes.`);
        }
        if (at < 0) break;
        yield { kind: 'part', part: readPart(buffered.subarray(0, at)) };
        buffered = buffered.subarray(at + headersEnd.length);
        place = 'data';
      }
    }
  }
  if (place === 'preamble') {
    throw malformed('The body is not a multipart form with the boundary in the Content-Type.');
  }
  if (place !== 'epilogue') throw malformed('The form ends before the closing boundary.');
  if (parts === 0) throw malformed('The form must have at least one part.');
}

/**
 * The end of a delimiter: `--` after the last, otherwise the end of its line after optional
 * padding.
 */
function endOfDelimiter(buffered: Buffer): number | 'last' | 'unknown' {
  if (buffered.length < 2) return 'unknown';
  if (buffered[0] === 0x2d && buffered[1] === 0x2d) return 'last';
  let at = 0;
  while (buffered[at] === 0x20 || buffered[at] === 0x09) at += 1;
  if (buffered.length < at + 2 && at < headerBytes) return 'unknown';
  if (buffered[at] === 0x0d && buffered[at + 1] === 0x0a) return at;
  throw malformed('The body is not a multipart form with the boundary in the Content-Type.');
}

/** @throws Problem for a part that is not a plain field or file */
function readPart(block: Buffer): PartHeaders {
  const headers = readHeaders(block);
  const disposition = parseHeaderValue(headers.get('content-disposition') ?? '');
  const name = disposition?.parameters.get('name');
  if (disposition?.value !== 'form-data' || name === undefined || name === '') {
    throw malformed(
      'Every part must have a well-formed header Content-Disposition: form-data; name="…".',
    );
  }
  const type = headers.get('content-type') ?? null;
  if (type !== null && /^multipart\//i.test(type)) {
    throw malformed('A part must not be a nested multipart body (RFC 7578 §4.3).');
  }
  const coding = headers.get('content-transfer-encoding')?.toLowerCase() ?? 'binary';
  if (!['binary', '8bit', '7bit'].includes(coding)) {
    throw new Problem('unsupported_media_type', 'Send parts without a Content-Transfer-Encoding.');
  }
  return { name: decodeEscapes(name), filename: filenameOf(disposition.parameters), type };
}

function readHeaders(block: Buffer): Map<string, string> {
  const text = decodeUtf8(block);
  if (text === null) throw malformed('The headers of a part must be valid UTF-8.');
  const headers = new Map<string, string>();
  for (const line of text.split('\r\n').slice(1)) {
    const found = /^([\w!#$%&'*+.^`|~-]+):[ \t]*(.*)$/s.exec(line);
    const [, name, value] = found ?? [];
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are not allowed in headers
    if (!name || value === undefined || /[\x00-\x08\x0a-\x1f\x7f]/.test(value)) {
      throw malformed('A header of a part is malformed.');
    }
    if (headers.has(name.toLowerCase()) || headers.size >= headerCount) {
      throw malformed(`A part must not repeat a header or have more than ${headerCount} headers.`);
    }
    headers.set(name.toLowerCase(), value.trim());
  }
  return headers;
}

/** The filename; `filename*` takes precedence over `filename`. */
function filenameOf(parameters: Map<string, string>): string | null {
  const extended = parameters.get('filename*');
  if (extended !== undefined) {
    const decoded = decodeExtended(extended);
    if (decoded === null)
      throw malformed('The filename* of a part must be an extended value as in RFC 8187.');
    return decoded;
  }
  const plain = parameters.get('filename');
  return plain === undefined ? null : decodeEscapes(plain);
}

/**
 * Decodes characters that browsers escape in names:
 * https://html.spec.whatwg.org/#escape-a-multipart-form-data-name
 */
function decodeEscapes(text: string): string {
  return text.replace(/%0D|%0A|%22/gi, (code) => decodeURIComponent(code));
}

function malformed(detail: string): Problem {
  return new Problem('malformed_request', detail);
}
