import { embeddedTypeOf, type ProvenFile } from '../embedded/files.ts';
import type { IsProven } from '../kind.ts';

/** Returns the content of a target that contains a file (RFC 2397); undefined for other targets. */
export function dataTarget(target: string): Uint8Array | undefined {
  // Patterns overflow the stack on large contents.
  const url = target.trim();
  const comma = url.indexOf(',');
  const head = url.slice(0, Math.max(0, comma));
  if (comma < 0 || comma > 200 || !/^data:/i.test(head)) return undefined;
  const data = url.slice(comma + 1);
  if (/;base64\s*$/i.test(head)) return Buffer.from(decodePercent(data), 'base64');
  return Buffer.from(decodePercent(data), 'latin1');
}

const decodePercent = (text: string): string =>
  text.includes('%')
    ? text.replace(/%([0-9a-f]{2})/gi, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      )
    : text;

/** Returns a target that contains a picture. */
export const dataUrlOf = ({ mime, bytes }: ProvenFile): string =>
  `data:${mime};base64,${Buffer.from(bytes).toString('base64')}`;

/** Whether a target contains a proven picture, in exactly the form in which redaction writes it. */
export function isProvenDataUrl(target: string, isProven: IsProven): boolean {
  const bytes = dataTarget(target);
  const mime = bytes && embeddedTypeOf(bytes);
  if (!mime || mime === 'image/tiff' || mime === 'application/pdf') return false;
  return target === dataUrlOf({ mime, bytes }) && isProven(bytes);
}

/** Returns a text without the pictures inside it. */
export const withoutDataUrls = (text: string): string =>
  text.replace(/"data:image\/(?:png|jpeg|webp);base64,[A-Za-z0-9+/=]*"/g, '""');
