import { decode } from '../encoding/index.ts';

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
 * Returns a header's text with its encoded words decoded (RFC 2047). Adjacent words in the same
 * encoding are decoded together.
 */
export function decodedWords(header: string): string {
  const joined = header.replace(/(\?=)\s+(?==\?)/g, '$1');
  let out = '';
  let at = 0;
  let open: { charset: string; bytes: Buffer[] } | null = null;
  const close = (): void => {
    if (open) out += textOfBytes(Buffer.concat(open.bytes), open.charset);
    open = null;
  };
  for (const match of joined.matchAll(encodedWord)) {
    const [whole, charset = '', form = '', data = ''] = match;
    if (match.index > at) {
      close();
      out += joined.slice(at, match.index);
    }
    at = match.index + whole.length;
    const bytes =
      form.toLowerCase() === 'b'
        ? Buffer.from(data, 'base64')
        : Buffer.from(fromQuotedPrintable(Buffer.from(data.replaceAll('_', ' '), 'latin1')));
    // RFC 2231 appends a language to the name of the encoding.
    const name = charset.split('*')[0]?.toLowerCase() ?? '';
    if (open && (open as { charset: string }).charset === name) {
      (open as { bytes: Buffer[] }).bytes.push(bytes);
    } else {
      close();
      open = { charset: name, bytes: [bytes] };
    }
  }
  close();
  return out + joined.slice(at);
}
