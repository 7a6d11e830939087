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
const metadataElement = /^<(\/?)(?:[\w.-]+:)?(?:metadata|xmpmeta|xapmeta|RDF)(?=[\s/>])/;

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
    if (between.includes('<')) throw unsupportedError();
    at = index + token.length;
    const metadataTag = metadataElement.exec(token);
    if (depth === 0) out += stripEmbedded(between, fields);
    if (metadataTag) depth += metadataTag[1] ? -1 : token.endsWith('/>') ? 0 : 1;
    else if (depth === 0) out += filterMarkup(token, fields);
    if (depth < 0) throw unsupportedError();
  }
  if (depth !== 0 || text.slice(at).includes('<')) throw unsupportedError();
  return Buffer.from(out + text.slice(at));
}

function filterMarkup(token: string, fields: StripFields): string {
  if (token.startsWith('<!--')) return '';
  if (token.startsWith('<?')) return /^<\?xml\s/.test(token) ? token : '';
  if (token.startsWith('<!DOCTYPE')) {
    const subset = /\[([\s\S]*)\]/.exec(token)?.[1] ?? '';
    if (!harmlessSubset.test(subset) || /data\s*:/i.test(subset)) throw unsupportedError();
  }
  return stripEmbedded(token, fields);
}

/** Replaces embedded pictures (`data:image/…;base64,…`). */
function stripEmbedded(text: string, fields: StripFields): string {
  // A browser would decode character references (&#100;ata:), but this code would not recognise
  // them.
  const countData = (part: string): number => part.match(/data:/gi)?.length ?? 0;
  if (text.includes('&#') && countData(decodeReferences(text)) !== countData(text))
    throw unsupportedError();
  return text.replace(
    /data:([\w/+.-]*)((?:;[\w=.-]+)*?)(;base64)?,([^"')]*)/gi,
    (match: string, mime: string, parameters: string, base64: string | undefined, body: string) => {
      if (!/^(?:image|application|video|audio)\//i.test(mime)) return match;
      const strip = strippers[mime.toLowerCase()];
      if (!strip || base64 === undefined) return 'data:,';
      const decoded = Buffer.from(decodeURIComponentSafely(body), 'base64');
      return `data:${mime}${parameters};base64,${strip(decoded, fields).toString('base64')}`;
    },
  );
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(decodeReferences(text));
  } catch {
    throw unsupportedError();
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
  const declared = declaration.exec(bytes.toString('latin1', 0, 1024));
  const label = (declared?.[1] ?? declared?.[2] ?? 'utf-8').toLowerCase();
  const isUtf8 = /^(?:utf-?8|us-ascii)$/.test(label);
  if (!isUtf8 && !/^(?:iso-8859-\d{1,2}|windows-125\d)$/.test(label)) throw unsupportedError();
  try {
    const decoder = new TextDecoder(isUtf8 ? 'utf-8' : label, { fatal: true, ignoreBOM: true });
    const text = decoder.decode(bytes);
    // The byte order mark of UTF-8 precedes the declaration.
    const decodedLabel = /^\uFEFF?<\?xml[^>]*encoding\s*=\s*["']([^"']*)["']/i.exec(text)?.[1];
    if (decodedLabel !== undefined && !declared && !/^(?:utf-?8|us-ascii)$/i.test(decodedLabel))
      throw unsupportedError();
    if (isUtf8) return text;
    return text.replace(
      declaration,
      (whole) => `${whole.slice(0, -1 - label.length)}UTF-8${whole.slice(-1)}`,
    );
  } catch {
    throw unsupportedError();
  }
}

function unsupportedError(): EngineError {
  return new EngineError('unsupported', 'The metadata of this image cannot be removed.');
}
