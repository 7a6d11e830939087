/*
 * Reads outputs for the checks, independently of the reader and the writer of messages. It accepts
 * only the form in which redaction writes: known fields in ASCII, every content in base64, and no
 * byte between the parts.
 */

/** The content of a message that redaction wrote. */
export interface MailOutput {
  /** The decoded values of the fields that people wrote. */
  fields: string[];
  contents: { mime: string; bytes: Uint8Array }[];
  /** What the file contains besides the form in which redaction writes. */
  unexpected: string[];
}

const contentType = /^([a-z]+\/[a-z0-9.+-]+)(; charset=utf-8)?$/;
const multipart = /^multipart\/(?:mixed|alternative|related); boundary="(=_\d{4,5})"$/;
const disposition = /^(?:inline|attachment; filename="attachment-\d{1,5}\.[a-z]{2,4}")$/;
const base64 = /^(?:[A-Za-z0-9+/]{76}|[A-Za-z0-9+/=]{4,76})\r\n$/;
const writtenField = /^(?:From|To|Cc|Date|Subject)$/;

export function readOutput(bytes: Uint8Array): MailOutput {
  const output: MailOutput = { fields: [], contents: [], unexpected: [] };
  const text = Buffer.from(bytes).toString('latin1');
  if (/[^\r\n -~]/.test(text) || /\r(?!\n)|(?<!\r)\n/.test(text)) {
    output.unexpected.push('characters outside ASCII');
  } else readEntity(text, true, output);
  return output;
}

/** Reads a message, or a part of one. */
function readEntity(text: string, isMessage: boolean, output: MailOutput): void {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return void output.unexpected.push('a part without a body');
  const fields = new Map<string, string>();
  for (const line of text.slice(0, headEnd).replaceAll('\r\n ', ' ').split('\r\n')) {
    const [, name = '', value = ''] = /^([A-Za-z-]+): (.*)$/.exec(line) ?? [];
    if (name === '' || fields.has(name)) output.unexpected.push('an unexpected line in a header');
    fields.set(name, value);
    if (isMessage && writtenField.test(name)) output.fields.push(decodeWords(value));
    else if (!isStructure(name, value, isMessage)) output.unexpected.push('an unexpected field');
  }
  const body = text.slice(headEnd + 4);
  const type = fields.get('Content-Type') ?? '';
  const boundary = multipart.exec(type)?.[1];
  if (boundary !== undefined) readParts(body, boundary, output);
  else if (type === 'message/rfc822') readEntity(body, true, output);
  else readContent(body, contentType.exec(type)?.[1], fields, output);
}

function isStructure(name: string, value: string, isMessage: boolean): boolean {
  if (name === 'MIME-Version') return isMessage && value === '1.0';
  if (name === 'Content-Transfer-Encoding') return value === 'base64';
  if (name === 'Content-Disposition') return disposition.test(value);
  if (name === 'Content-ID') return !isMessage && /^<picture-\d{1,5}@message>$/.test(value);
  return name === 'Content-Type' && (multipart.test(value) || contentType.test(value));
}

function readParts(body: string, boundary: string, output: MailOutput): void {
  const [first, last] = [`--${boundary}\r\n`, `\r\n--${boundary}--\r\n`];
  if (!body.startsWith(first) || !body.endsWith(last)) {
    output.unexpected.push('text outside all parts');
    return;
  }
  const parts = body.slice(first.length, -last.length).split(`\r\n${first}`);
  for (const part of parts) readEntity(part, false, output);
}

function readContent(
  body: string,
  mime: string | undefined,
  fields: ReadonlyMap<string, string>,
  output: MailOutput,
): void {
  if (mime === undefined || !fields.has('Content-Transfer-Encoding') || !isBase64(body)) {
    output.unexpected.push('content that is not in base64');
    return;
  }
  output.contents.push({ mime, bytes: Buffer.from(body, 'base64') });
}

/** Checks line by line, because patterns overflow the stack on large contents. */
function isBase64(body: string): boolean {
  for (let at = 0; at < body.length; at += 78) {
    if (!base64.test(body.slice(at, at + 78))) return false;
  }
  return true;
}

/** Decodes the encoded words of a field (RFC 2047). Those of redaction are in UTF-8 and base64. */
function decodeWords(value: string): string {
  return value
    .replace(/(?<=\?=) (?==\?)/g, '')
    .replace(/=\?utf-8\?B\?([A-Za-z0-9+/=]*)\?=/g, (_, data: string) =>
      Buffer.from(data, 'base64').toString('utf8'),
    )
    .replace(/\\(.)/g, '$1');
}
