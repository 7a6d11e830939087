import { decode } from './encoding/index.ts';

/** The number of bytes of a page that are searched for a declared encoding. */
const headBytes = 4096;

/**
 * Decodes HTML. Without a byte order mark, a `meta` element near the beginning names the encoding.
 */
export function decodeHtml(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, headBytes)).toString('latin1').replaceAll('\0', '');
  const declared =
    /<meta[^>]{0,500}charset\s*=\s*["']?\s*([\w-]+)/i.exec(head)?.[1] ??
    /^\s*<\?xml[^>]{0,200}encoding\s*=\s*["']([\w-]+)/i.exec(head)?.[1];
  return decode(bytes, declared).text;
}
