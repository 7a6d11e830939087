import { decode } from './encoding.ts';

/** HTML as text. Without a byte order mark, a `meta` element in the first kilobyte names the encoding. */
export function decodeHtml(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
  const named = /<meta[^>]*charset\s*=\s*["']?\s*([\w-]+)/i.exec(head)?.[1];
  const { text, encoding } = decode(bytes);
  if (!named || encoding.bom || encoding.name !== 'windows-1252') return text;
  try {
    return new TextDecoder(named).decode(bytes);
  } catch {
    return text;
  }
}
