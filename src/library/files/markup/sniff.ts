import { extensionOf } from '../filename.ts';
import { hasLatePdf } from '../signatures.ts';
import { GZIP, plain, type Sniffed, type SniffHints, UNKNOWN } from '../sniffed.ts';
import { decodeText, hintedText, sniffText } from '../text.ts';
import { type Markup, MarkupScan } from './scan.ts';

const SVG = 'image/svg+xml';
const MARKUP_MIMES = new Set([SVG, 'application/xml', 'application/xhtml+xml', 'text/html']);
// Blanks, zeros of wide characters, and byte order marks.
const BLANK = new Set([0, 9, 10, 11, 12, 13, 32, 0xef, 0xbb, 0xbf, 0xff, 0xfe]);

/**
 * The type of a file by its first bytes and the scan of its markup. A file that claims to be a
 * drawing counts as one if opening it as a drawing would run something, whatever else it is.
 */
export function withMarkup(sniffed: Sniffed, markup: Markup, hints: SniffHints): Sniffed {
  const { begins, root, drawn, runsAsXml, looksActive } = markup;
  const isHtml = sniffed.mime === 'text/html' || sniffed.mime === 'application/xhtml+xml';
  const packed = sniffed.mime === GZIP;
  const claimed = claimsDrawing(hints) && begins !== false && runsAsXml;
  const isDrawing =
    sniffed.mime === SVG ||
    claimed ||
    (!isHtml && !packed && (root === 'svg' || (drawn && runsAsXml))) ||
    (packed && (root === 'svg' || drawn) && (runsAsXml || looksActive));
  if (isDrawing) return { ...sniffed, mime: SVG, scripted: runsAsXml || looksActive };
  if (isHtml || !MARKUP_MIMES.has(sniffed.mime)) {
    return { ...sniffed, scripted: sniffed.scripted || (isHtml && looksActive) };
  }
  return { ...sniffed, scripted: runsAsXml || looksActive };
}

/**
 * Detects markup first, before any signature that could be inside one of its comments. Markup that
 * cannot be decoded as text is still a drawing if a browser treats it as one.
 */
export function sniffMarkup(head: Buffer, hints: SniffHints): Sniffed | null {
  const first = head.find((byte) => !BLANK.has(byte));
  if (head.length === 0 || (first !== undefined && first !== 0x3c)) return null;
  const bytes = hints.bytes ?? head.length;
  const scan = new MarkupScan();
  scan.write(head);
  const cut = bytes > head.length;
  const markup = cut ? scan.markup : scan.end();
  const text = decodeText(head, bytes);
  const body = (text ?? head.toString('latin1').replaceAll('\0', ''))
    .replace(/^(?:\ufeff|\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '')
    .trimStart();
  const named = mimeOfMarkup(body, text === null ? null : hintedText(hints));
  const latePdf = hasLatePdf(head);
  // The root follows blanks, a comment or a document type.
  const unresolved = cut && afterProlog(body) === '';
  const known = text !== null || named === SVG;
  const guess = plain((known ? named : null) ?? sniffText(head, hints)?.mime ?? UNKNOWN);
  const found = withMarkup(guess, markup, hints);
  const isOpen =
    cut && (unresolved || MARKUP_MIMES.has(found.mime) || claimsDrawing(hints)) && !found.scripted;
  const scanNeeded = isOpen && 'markup';
  if (found.mime === SVG) return { ...found, scripted: found.scripted || latePdf, scanNeeded };
  if (latePdf || text === null) return scanNeeded && !latePdf ? { ...guess, scanNeeded } : null;
  return { ...found, scanNeeded };
}

function claimsDrawing({ filename, declaredMime }: SniffHints): boolean {
  const declared = (declaredMime ?? '').split(';')[0]?.trim().toLowerCase();
  return declared === SVG || ['svg', 'svgz'].includes(extensionOf(filename ?? ''));
}

function mimeOfMarkup(body: string, hinted: string | null): string | null {
  if (!body.startsWith('<')) return hinted === 'text/html' ? 'text/html' : null;
  const root = afterProlog(body);
  if (/^<(?:[^\s<>/:]+:)?svg[\s/>]/i.test(root)) return SVG;
  if (/^<!DOCTYPE\s+html\b/i.test(root) || /^<(?:html|head|body|script|iframe)[\s/>]/i.test(root)) {
    return /^<\?xml\s/i.test(body) ? 'application/xhtml+xml' : 'text/html';
  }
  if (/^<\?xml\s/i.test(body)) return 'application/xml';
  if (hinted === 'text/html' || hinted === 'application/xml') return hinted;
  // Markdown often starts with a tag. Without a hint from the client, it is treated the way
  // browsers treat it.
  const weak = /^<(?:h[1-6]|div|font|table|a|style|title|b|br|p|img|meta|link)[\s/>]/i.test(root);
  return hinted === null && weak ? 'text/html' : null;
}

/** The text after the declaration, comments, instructions and any doctype other than html. */
function afterProlog(body: string): string {
  // Parsed by hand: a single pattern would take quadratic time on crafted input.
  let rest = body;
  for (;;) {
    let end: number;
    if (rest.startsWith('<?')) end = endOf(rest, '?>');
    else if (rest.startsWith('<!--')) end = endOf(rest, '-->');
    else if (/^<!DOCTYPE\s/i.test(rest) && !/^<!DOCTYPE\s{1,64}html\b/i.test(rest)) {
      const subset = rest.indexOf('[');
      const close = endOf(rest, '>');
      end = subset >= 0 && subset < close ? endOf(rest, ']', '>') : close;
    } else return rest;
    if (end < 0) return '';
    rest = rest.slice(end).trimStart();
  }
}

/** The index after the marks, found one after the other; -1 if one is missing. */
function endOf(text: string, ...marks: string[]): number {
  let at = 0;
  for (const mark of marks) {
    const found = text.indexOf(mark, at);
    if (found < 0) return -1;
    at = found + mark.length;
  }
  return at;
}
