import { EngineError } from '@scriptorium/sandbox/errors';
import { decode, encodingOf } from '../encoding/index.ts';
import { fromQuotedPrintable } from './encoded-words.ts';
import { type Headers, parseField, splitHeaders } from './headers.ts';

const maxDepth = 20;
const maxParts = 2000;

/** Counts the parts of a message, including those of the messages that are attached to it. */
export interface PartBudget {
  parts: number;
}

/** A part of a message (RFC 2045, 2046): either a container of other parts, or content. */
export interface MailPart {
  headers: Headers;
  /** The media type in lower case, such as `text/html`. */
  type: string;
  parameters: ReadonlyMap<string, string>;
  parts: MailPart[];
  /** The decoded content; empty for a container. */
  content: Uint8Array;
  filename: string | null;
  isAttachment: boolean;
}

/**
 * Reads a message as a tree of parts. Throws EngineError `empty`, `unsupported` or `too_large`.
 * @param depth the number of levels around an attached message
 */
export function readMail(
  bytes: Uint8Array,
  budget: PartBudget = { parts: 0 },
  depth = 0,
): MailPart {
  const raw = originalBytes(bytes);
  const message = readPart(raw, 'text/plain', depth, budget);
  if (message.headers.size === 0) {
    throw new EngineError('unsupported', 'The file is not an e-mail message.');
  }
  return message;
}

/** Converts a message that was saved as UTF-16 to the bytes that were sent. */
function originalBytes(bytes: Uint8Array): Uint8Array {
  const encoding = encodingOf(bytes.subarray(0, 4096), undefined, false);
  if (encoding?.name.startsWith('utf-16')) return Buffer.from(decode(bytes).text, 'utf8');
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  // Mailboxes and some exports add a line before the header.
  const line = /^(?:From [^\r\n]{0,300}|\s*)\r?\n/.exec(
    Buffer.from(bytes.subarray(start, start + 400)).toString('latin1'),
  );
  return bytes.subarray(start + (line?.[0].length ?? 0));
}

function readPart(
  bytes: Uint8Array,
  defaultType: string,
  depth: number,
  budget: PartBudget,
): MailPart {
  budget.parts += 1;
  if (budget.parts > maxParts || depth > maxDepth) {
    throw new EngineError(
      'too_large',
      `The message has more than ${maxParts} parts or ${maxDepth} levels.`,
    );
  }
  const { headers, body } = splitHeaders(bytes);
  const { value, parameters } = parseField(headers.get('content-type') ?? defaultType);
  const type = /^[\w.+-]+\/[\w.+-]+$/.test(value) ? value : defaultType;
  const disposition = parseField(headers.get('content-disposition') ?? '');
  const filename = disposition.parameters.get('filename') ?? parameters.get('name') ?? null;
  const boundary = parameters.get('boundary');
  const part: MailPart = {
    headers,
    type,
    parameters,
    parts: [],
    content: new Uint8Array(),
    filename: filename?.trim() || null,
    isAttachment: disposition.value === 'attachment',
  };
  if (type.startsWith('multipart/') && boundary) {
    const innerDefaultType = type === 'multipart/digest' ? 'message/rfc822' : 'text/plain';
    part.parts = sectionsOf(body, boundary).map((section) =>
      readPart(section, innerDefaultType, depth + 1, budget),
    );
    return part;
  }
  const content = decodeBody(body, headers.get('content-transfer-encoding'));
  if (type === 'message/rfc822' && !part.isAttachment) {
    part.parts = [readPart(content, 'text/plain', depth + 1, budget)];
  } else part.content = content;
  return part;
}

function decodeBody(body: Uint8Array, encoding: string | undefined): Uint8Array {
  const name = encoding?.toLowerCase().trim() ?? '';
  if (name === 'quoted-printable') return fromQuotedPrintable(body);
  return name === 'base64' ? Buffer.from(Buffer.from(body).toString('latin1'), 'base64') : body;
}

/**
 * Returns the sections between boundary lines. In a truncated message, the end of the message ends
 * the last section.
 */
function sectionsOf(body: Uint8Array, boundary: string): Uint8Array[] {
  const buffer = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const mark = Buffer.from(`--${boundary}`, 'utf8');
  const sections: Uint8Array[] = [];
  let start = -1;
  for (let at = buffer.indexOf(mark); at >= 0; at = buffer.indexOf(mark, at + mark.length)) {
    if (at > 0 && buffer[at - 1] !== 10 && buffer[at - 1] !== 13) continue;
    const after = at + mark.length;
    const isEnd = buffer[after] === 45 && buffer[after + 1] === 45;
    const next = buffer[after];
    if (!isEnd && next !== undefined && ![10, 13, 32, 9].includes(next)) continue;
    if (start >= 0) sections.push(buffer.subarray(start, lineEndBefore(buffer, at, start)));
    const line = buffer.indexOf(10, after);
    start = isEnd || line < 0 ? -1 : line + 1;
    if (isEnd || sections.length > maxParts) break;
  }
  if (start >= 0) sections.push(buffer.subarray(start));
  return sections;
}

/** Returns the start of the line end before a boundary, which belongs to the boundary. */
function lineEndBefore(buffer: Buffer, at: number, start: number): number {
  let end = at;
  if (end > start && buffer[end - 1] === 10) end -= 1;
  if (end > start && buffer[end - 1] === 13) end -= 1;
  return end;
}
