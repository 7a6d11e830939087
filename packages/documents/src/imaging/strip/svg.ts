import type { StripFields } from '@scriptorium/contracts/variants';
import { EngineError } from '@scriptorium/sandbox/errors';
import { stripGif } from './gif.ts';
import { stripJpeg } from './jpeg.ts';
import { stripPng } from './png.ts';
import { stripWebp } from './webp.ts';

/**
 * The types of embedded pictures whose metadata is removed. Embedded pictures of other types are
 * dropped.
 */
const strippers: Readonly<Record<string, (bytes: Buffer, fields: StripFields) => Buffer>> = {
  'image/jpeg': stripJpeg,
  'image/jpg': stripJpeg,
  'image/png': stripPng,
  'image/webp': stripWebp,
  'image/gif': stripGif,
};

/** Comments, CDATA, processing instructions, doctypes and tags: all markup from `<` to its end. */
const markup =
  /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>|<!DOCTYPE(?:[^<>[\]"']|"[^"]*"|'[^']*'|\[[^[\]]*\])*>|<(?:[^<>"']|"[^"]*"|'[^']*')*>/g;
/** Declarations of drawing programs: short names for namespaces, which cannot hide elements. */
const harmlessSubset = /^(?:\s|<!ENTITY\s+[\w.-]+\s+(?:"[^"<&%]*"|'[^'<&%]*')\s*>)*$/;
const wordElement = /^<(\/?)(?:[\w.-]+:)?(?:metadata|xmpmeta|xapmeta|RDF)(?=[\s/>])/;

/**
 * Returns a drawing without metadata elements (RDF, XMP), comments and processing instructions. The
 * metadata of embedded pictures is removed.
 * @throws EngineError `unsupported` if the drawing is composed of entities, because its content
 * cannot be determined.
 */
export function stripSvg(bytes: Buffer, fields: StripFields): Buffer {
  const text = decode(bytes);
  let out = '';
  let at = 0;
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(markup)) {
    const between = text.slice(at, index);
    if (between.includes('<')) throw unsupported();
    at = index + token.length;
    const words = wordElement.exec(token);
    if (depth === 0) out += cleanData(between, fields);
    if (words) depth += words[1] ? -1 : token.endsWith('/>') ? 0 : 1;
    else if (depth === 0) out += keepMarkup(token, fields);
    if (depth < 0) throw unsupported();
  }
  if (depth !== 0 || text.slice(at).includes('<')) throw unsupported();
  return Buffer.from(out + text.slice(at));
}

function keepMarkup(token: string, fields: StripFields): string {
  if (token.startsWith('<!--')) return '';
  if (token.startsWith('<?')) return /^<\?xml\s/.test(token) ? token : '';
  if (token.startsWith('<!DOCTYPE')) {
    const subset = /\[([\s\S]*)\]/.exec(token)?.[1] ?? '';
    if (!harmlessSubset.test(subset) || /data\s*:/i.test(subset)) throw unsupported();
  }
  return cleanData(token, fields);
}

/** Replaces embedded pictures (`data:image/…;base64,…`). */
function cleanData(text: string, fields: StripFields): string {
  // A browser would decode character references (&#100;ata:), but this code would not recognise
  // them.
  const count = (part: string): number => part.match(/data:/gi)?.length ?? 0;
  if (text.includes('&#') && count(decodeReferences(text)) !== count(text)) throw unsupported();
  return text.replace(
    /data:([\w/+.-]*)((?:;[\w=.-]+)*?)(;base64)?,([^"')]*)/gi,
    (whole: string, mime: string, parameters: string, base64: string | undefined, body: string) => {
      if (!/^(?:image|application|video|audio)\//i.test(mime)) return whole;
      const strip = strippers[mime.toLowerCase()];
      if (!strip || base64 === undefined) return 'data:,';
      const clean = Buffer.from(decodeURIComponentSafely(body), 'base64');
      return `data:${mime}${parameters};base64,${strip(clean, fields).toString('base64')}`;
    },
  );
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(decodeReferences(text));
  } catch {
    throw unsupported();
  }
}

function decodeReferences(text: string): string {
  return text.replace(
    /&#(?:x([0-9a-f]{1,6})|(\d{1,7}));/gi,
    (whole, hex?: string, decimal?: string) => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}

/**
 * Decodes UTF-8 or a declared single-byte encoding; the output is UTF-8. Other encodings are
 * rejected, because a browser may decode them differently.
 */
function decode(bytes: Buffer): string {
  const declaration = /^<\?xml[^>]*\sencoding\s*=\s*(?:"([^"]*)"|'([^']*)')/i;
  const found = declaration.exec(bytes.toString('latin1', 0, 1024));
  const label = (found?.[1] ?? found?.[2] ?? 'utf-8').toLowerCase();
  const same = /^(?:utf-?8|us-ascii)$/.test(label);
  if (!same && !/^(?:iso-8859-\d{1,2}|windows-125\d)$/.test(label)) throw unsupported();
  try {
    const decoder = new TextDecoder(same ? 'utf-8' : label, { fatal: true, ignoreBOM: true });
    const text = decoder.decode(bytes);
    // The byte order mark of UTF-8 precedes the declaration.
    const marked = /^\uFEFF?<\?xml[^>]*encoding\s*=\s*["']([^"']*)["']/i.exec(text)?.[1];
    if (marked !== undefined && !found && !/^(?:utf-?8|us-ascii)$/i.test(marked))
      throw unsupported();
    if (same) return text;
    return text.replace(
      declaration,
      (whole) => `${whole.slice(0, -1 - label.length)}UTF-8${whole.slice(-1)}`,
    );
  } catch {
    throw unsupported();
  }
}

function unsupported(): EngineError {
  return new EngineError('unsupported', 'The metadata of this image cannot be removed.');
}
