import { decode, decodeDeclared } from '../encoding/index.ts';

/**
 * Decodes bytes as text, in the declared encoding if they are valid in it. Returns an empty string
 * if they are not text.
 */
export function textOfBytes(bytes: Uint8Array, declared: string | undefined): string {
  if (bytes.length === 0) return '';
  try {
    return decode(bytes, declared).text.replace(/^\ufeff/, '');
  } catch {
    return '';
  }
}

/**
 * Decodes bytes as text in the declared encoding, without guessing another one, except that UTF-8 is
 * recognised. Returns an empty string if that is not possible. A wrong guess is text in other
 * letters, from which the original can be restored.
 */
export function textAsDeclared(bytes: Uint8Array, declared: string | undefined): string {
  if (declared === undefined || /^\s*utf-?8\s*$/i.test(declared))
    return textOfBytes(bytes, declared);
  const text = decodeDeclared(bytes, declared);
  if (text === null) return '';
  const isUtf8 = !/iso-2022/i.test(declared) && decodeDeclared(bytes, 'utf-8') !== null;
  return (isUtf8 ? textOfBytes(bytes, 'utf-8') : text).replace(/\0|^\ufeff/g, '');
}

/** Decodes quoted-printable (RFC 2045, 6.7). Invalid escapes are kept. */
export function fromQuotedPrintable(bytes: Uint8Array): Uint8Array {
  const source = Buffer.from(bytes).toString('latin1');
  const text = source
    .replace(/[ \t]+(?=\r?\n|$)/g, '')
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-Fa-f]{2})/g, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
  return Buffer.from(text, 'latin1');
}

const encodedWord = /=\?([^?\s]{1,60})\?([bq])\?([^?\s]{0,2000})\?=/gi;

/**
 * Decodes the encoded words in a header (RFC 2047). Adjacent words in the same encoding are decoded
 * together.
 */
export function decodeWords(header: string, decodeText = textOfBytes): string {
  const compacted = header.replace(/(\?=)\s+(?==\?)/g, '$1');
  let out = '';
  let at = 0;
  let pending: { charset: string; bytes: Buffer[] } | null = null;
  const close = (): void => {
    if (pending) out += decodeText(Buffer.concat(pending.bytes), pending.charset);
    pending = null;
  };
  for (const match of compacted.matchAll(encodedWord)) {
    const [whole, charset = '', form = '', data = ''] = match;
    if (match.index > at) {
      close();
      out += compacted.slice(at, match.index);
    }
    at = match.index + whole.length;
    const bytes =
      form.toLowerCase() === 'b'
        ? Buffer.from(data, 'base64')
        : Buffer.from(fromQuotedPrintable(Buffer.from(data.replaceAll('_', ' '), 'latin1')));
    // RFC 2231 appends a language to the name of the encoding.
    const name = charset.split('*')[0]?.toLowerCase() ?? '';
    if (pending && (pending as { charset: string }).charset === name) {
      (pending as { bytes: Buffer[] }).bytes.push(bytes);
    } else {
      close();
      pending = { charset: name, bytes: [bytes] };
    }
  }
  close();
  return out + compacted.slice(at);
}
