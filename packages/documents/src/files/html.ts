import { decode } from './encoding/index.ts';

/** Number of bytes of a page that are searched for a declared encoding. */
const headBytes = 4096;

/** HTML as text. Without a byte order mark, a `meta` element at the beginning names the encoding. */
export function decodeHtml(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, headBytes)).toString('latin1').replaceAll('\0', '');
  const named =
    /<meta[^>]{0,500}charset\s*=\s*["']?\s*([\w-]+)/i.exec(head)?.[1] ??
    /^\s*<\?xml[^>]{0,200}encoding\s*=\s*["']([\w-]+)/i.exec(head)?.[1];
  return decode(bytes, named).text;
}
