import { Problem } from '@scriptorium/contracts/problems';
import { decodeExtended, decodeUtf8, parseHeaderValue } from './header-values.ts';

/** The headers of a part. */
export interface PartHeaders {
  name: string;
  /** Null if the part is not a file. */
  filename: string | null;
  type: string | null;
}

/** The events of a form: the start of a part, its bytes, and its end. */
export type FormEvent =
  | { kind: 'part'; part: PartHeaders }
  | { kind: 'bytes'; bytes: Buffer }
  | { kind: 'end' };

const maxHeaderBytes = 8 * 1024;
const maxHeaders = 20;
const maxParts = 128;
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
  chunks: AsyncIterable<Buffer>,
  boundary: string,
): AsyncGenerator<FormEvent, void, undefined> {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  // The first delimiter has no preceding line break. Adding one makes it like the others.
  let buffered: Buffer = newline;
  let state: 'preamble' | 'delimiter' | 'headers' | 'data' | 'epilogue' = 'preamble';
  let parts = 0;
  for await (const chunk of chunks) {
    if (state === 'epilogue') continue;
    buffered = Buffer.concat([buffered, chunk]);
    for (;;) {
      if (state === 'preamble' || state === 'data') {
        const at = buffered.indexOf(delimiter);
        // The last bytes may be the start of a delimiter.
        const bytes = buffered.subarray(
          0,
          at < 0 ? Math.max(0, buffered.length - delimiter.length + 1) : at,
        );
        if (state === 'data' && bytes.length > 0) yield { kind: 'bytes', bytes };
        buffered = buffered.subarray(bytes.length);
        if (at < 0) break;
        if (state === 'data') yield { kind: 'end' };
        buffered = buffered.subarray(delimiter.length);
        state = 'delimiter';
      } else if (state === 'delimiter') {
        const end = endOfDelimiter(buffered);
        if (end === 'unknown') break;
        if (end === 'last') {
          state = 'epilogue';
          break;
        }
        parts += 1;
        if (parts > maxParts) {
          throw new Problem('payload_too_large', `The form must have at most ${maxParts} parts.`);
        }
        buffered = buffered.subarray(end);
        state = 'headers';
      } else {
        const at = buffered.indexOf(headersEnd);
        if (at > maxHeaderBytes || (at < 0 && buffered.length > maxHeaderBytes)) {
          throw malformedForm(`The headers of a part must have at most ${maxHeaderBytes} bytes.`);
        }
        if (at < 0) break;
        yield { kind: 'part', part: readPart(buffered.subarray(0, at)) };
        buffered = buffered.subarray(at + headersEnd.length);
        state = 'data';
      }
    }
  }
  if (state === 'preamble') {
    throw malformedForm('The body is not a multipart form with the boundary in the Content-Type.');
  }
  if (state !== 'epilogue') throw malformedForm('The form ends before the closing boundary.');
  if (parts === 0) throw malformedForm('The form must have at least one part.');
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
  if (buffered.length < at + 2 && at < maxHeaderBytes) return 'unknown';
  if (buffered[at] === 0x0d && buffered[at + 1] === 0x0a) return at;
  throw malformedForm('The body is not a multipart form with the boundary in the Content-Type.');
}

/** @throws Problem for a part that is not a plain field or file */
function readPart(block: Buffer): PartHeaders {
  const headers = readHeaders(block);
  const disposition = parseHeaderValue(headers.get('content-disposition') ?? '');
  const name = disposition?.parameters.get('name');
  if (disposition?.value !== 'form-data' || name === undefined || name === '') {
    throw malformedForm(
      'Every part must have a well-formed header Content-Disposition: form-data; name="…".',
    );
  }
  const type = headers.get('content-type') ?? null;
  if (type !== null && /^multipart\//i.test(type)) {
    throw malformedForm('A part must not be a nested multipart body (RFC 7578 §4.3).');
  }
  const coding = headers.get('content-transfer-encoding')?.toLowerCase() ?? 'binary';
  if (!['binary', '8bit', '7bit'].includes(coding)) {
    throw new Problem('unsupported_media_type', 'Send parts without a Content-Transfer-Encoding.');
  }
  return { name: decodeEscapes(name), filename: filenameOf(disposition.parameters), type };
}

function readHeaders(block: Buffer): Map<string, string> {
  const text = decodeUtf8(block);
  if (text === null) throw malformedForm('The headers of a part must be valid UTF-8.');
  const headers = new Map<string, string>();
  for (const line of text.split('\r\n').slice(1)) {
    const found = /^([\w!#$%&'*+.^`|~-]+):[ \t]*(.*)$/s.exec(line);
    const [, name, value] = found ?? [];
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are not allowed in headers
    if (!name || value === undefined || /[\x00-\x08\x0a-\x1f\x7f]/.test(value)) {
      throw malformedForm('A header of a part is malformed.');
    }
    if (headers.has(name.toLowerCase()) || headers.size >= maxHeaders) {
      throw malformedForm(
        `A part must not repeat a header or have more than ${maxHeaders} headers.`,
      );
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
      throw malformedForm('The filename* of a part must be an extended value as in RFC 8187.');
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

function malformedForm(detail: string): Problem {
  return new Problem('malformed_request', detail);
}
