import { decodedWords, textOfBytes } from './words.ts';

/** The header of a message or of a part: fields by their names in lower case, the first one of each. */
export type Headers = ReadonlyMap<string, string>;

const maxHeaderBytes = 256 * 1024;
const maxFields = 2000;

/** Splits a part into its header and its body, at the first empty line. */
export function splitHeaders(bytes: Uint8Array): { headers: Headers; body: Uint8Array } {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const ends = [buffer.indexOf('\r\n\r\n'), buffer.indexOf('\n\n'), buffer.indexOf('\r\r')];
  const found = ends.filter((at) => at >= 0);
  const isBare = /^\r?\n/.test(buffer.toString('latin1', 0, 2));
  const end = isBare ? 0 : found.length > 0 ? Math.min(...found) : buffer.length;
  const gap = isBare ? (buffer[0] === 13 ? 2 : 1) : end === ends[0] ? 4 : 2;
  const head = buffer.subarray(0, Math.min(end, maxHeaderBytes));
  return { headers: readHeaders(head), body: buffer.subarray(Math.min(end + gap, buffer.length)) };
}

function readHeaders(head: Uint8Array): Headers {
  // Some senders write letters outside ASCII without encoding them.
  const unfolded = textOfBytes(head, undefined)
    .replace(/\r\n|\r/g, '\n')
    .replace(/\n[ \t]+/g, ' ');
  const fields = new Map<string, string>();
  for (const line of unfolded.split('\n').slice(0, maxFields)) {
    const [, name, value] = /^([!-9;-~]{1,100}):[ \t]*(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) continue;
    if (!fields.has(name.toLowerCase())) fields.set(name.toLowerCase(), value.trim());
  }
  return fields;
}

/** A field as people read it. */
export const shownField = (headers: Headers, name: string): string =>
  decodedWords(headers.get(name) ?? '')
    .replace(/\s+/g, ' ')
    .trim();

/** The value of a field with parameters (`text/plain; charset=utf-8`), in lower case, and these by name. */
export function fieldWithParameters(field: string): {
  value: string;
  parameters: ReadonlyMap<string, string>;
} {
  const [value = '', ...rest] = field.split(';', 1);
  const pattern = /;\s*([\w*!#$&.^'-]{1,60})\s*=\s*(?:"((?:[^"\\]|\\.){0,4000})"|([^;]{0,4000}))/g;
  const raw = new Map<string, string>();
  for (const [, name = '', quoted, bare] of field.matchAll(pattern)) {
    const text = quoted === undefined ? (bare ?? '').trim() : quoted.replace(/\\(.)/g, '$1');
    if (raw.size < 100) raw.set(name.toLowerCase(), text);
  }
  return { value: [value, ...rest].join('').trim().toLowerCase(), parameters: joined(raw) };
}

/** Parameters in pieces and with an encoding (RFC 2231) as one. */
function joined(raw: ReadonlyMap<string, string>): Map<string, string> {
  const out = new Map<string, string>();
  for (const [key, text] of raw) {
    const [, name = key, piece] = /^([^*]+)\*(\d{1,3})?\*?$/.exec(key) ?? [];
    const isEncoded = key.endsWith('*');
    const [, charset, , data = text] = (isEncoded && /^([^']*)'([^']*)'(.*)$/.exec(text)) || [];
    const own = isEncoded ? percentDecoded(data, charset) : decodedWords(text);
    out.set(name, piece === undefined || piece === '0' ? own : (out.get(name) ?? '') + own);
  }
  return out;
}

function percentDecoded(text: string, charset: string | undefined): string {
  const bytes = text.replace(/%([0-9A-Fa-f]{2})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return textOfBytes(Buffer.from(bytes, 'latin1'), charset);
}
