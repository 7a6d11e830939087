import { extensionOf } from '../filename.ts';
import { hasPdfSignature } from '../signatures.ts';
import { decodeText, hintedTextMime, sniffText } from '../sniff-text.ts';
import {
  GZIP,
  type SniffedType,
  type SniffHints,
  typeWithoutScripts,
  UNKNOWN,
} from '../sniffed-type.ts';
import { type MarkupFindings, MarkupScan } from './scan.ts';

const SVG = 'image/svg+xml';
const MARKUP_MIMES = new Set([SVG, 'application/xml', 'application/xhtml+xml', 'text/html']);
// Blanks, zeros of wide characters, and byte order marks.
const BLANK = new Set([0, 9, 10, 11, 12, 13, 32, 0xef, 0xbb, 0xbf, 0xff, 0xfe]);

/**
 * The type of a file by its first bytes and the scan of its markup. A file that is declared or named as
 * a drawing counts as one if opening it as a drawing would run something, whatever its content.
 */
export function applyMarkup(
  sniffed: SniffedType,
  markup: MarkupFindings,
  hints: SniffHints,
): SniffedType {
  const { startsWithTag, root, hasSvgElement, runsAsXml, hasActiveText } = markup;
  const isHtml = sniffed.mime === 'text/html' || sniffed.mime === 'application/xhtml+xml';
  const isGzip = sniffed.mime === GZIP;
  const isClaimedDrawing = claimsDrawing(hints) && startsWithTag !== false && runsAsXml;
  const isDrawing =
    sniffed.mime === SVG ||
    isClaimedDrawing ||
    (!isHtml && !isGzip && (root === 'svg' || (hasSvgElement && runsAsXml))) ||
    (isGzip && (root === 'svg' || hasSvgElement) && (runsAsXml || hasActiveText));
  if (isDrawing) return { ...sniffed, mime: SVG, scripted: runsAsXml || hasActiveText };
  if (isHtml || !MARKUP_MIMES.has(sniffed.mime)) {
    return { ...sniffed, scripted: sniffed.scripted || (isHtml && hasActiveText) };
  }
  return { ...sniffed, scripted: runsAsXml || hasActiveText };
}

/**
 * Detects markup first, before any signature that could be inside one of its comments. Markup that
 * cannot be decoded as text is still a drawing if a browser treats it as one.
 */
export function sniffMarkup(head: Buffer, hints: SniffHints): SniffedType | null {
  const first = head.find((byte) => !BLANK.has(byte));
  if (head.length === 0 || (first !== undefined && first !== 0x3c)) return null;
  const bytes = hints.bytes ?? head.length;
  const scan = new MarkupScan();
  scan.write(head);
  const isTruncated = bytes > head.length;
  const markup = isTruncated ? scan.findings : scan.end();
  const text = decodeText(head, bytes);
  const body = (text ?? head.toString('latin1').replaceAll('\0', ''))
    .replace(/^(?:\ufeff|\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '')
    .trimStart();
  const markupMime = mimeOfMarkup(body, text === null ? null : hintedTextMime(hints));
  const hasPdf = hasPdfSignature(head);
  // The root follows blanks, a comment or a document type.
  const isRootMissing = isTruncated && afterProlog(body) === '';
  const isKnown = text !== null || markupMime === SVG;
  const guess = typeWithoutScripts(
    (isKnown ? markupMime : null) ?? sniffText(head, hints)?.mime ?? UNKNOWN,
  );
  const sniffed = applyMarkup(guess, markup, hints);
  const isUndecided =
    isTruncated &&
    (isRootMissing || MARKUP_MIMES.has(sniffed.mime) || claimsDrawing(hints)) &&
    !sniffed.scripted;
  const scanNeeded = isUndecided && 'markup';
  if (sniffed.mime === SVG) return { ...sniffed, scripted: sniffed.scripted || hasPdf, scanNeeded };
  if (hasPdf || text === null) return scanNeeded && !hasPdf ? { ...guess, scanNeeded } : null;
  return { ...sniffed, scanNeeded };
}

function claimsDrawing({ filename, declaredMime }: SniffHints): boolean {
  const declared = (declaredMime ?? '').split(';')[0]?.trim().toLowerCase();
  return declared === SVG || ['svg', 'svgz'].includes(extensionOf(filename ?? ''));
}

function mimeOfMarkup(body: string, hintedMime: string | null): string | null {
  if (!body.startsWith('<')) return hintedMime === 'text/html' ? 'text/html' : null;
  const root = afterProlog(body);
  if (/^<(?:[^\s<>/:]+:)?svg[\s/>]/i.test(root)) return SVG;
  if (/^<!DOCTYPE\s+html\b/i.test(root) || /^<(?:html|head|body|script|iframe)[\s/>]/i.test(root)) {
    return /^<\?xml\s/i.test(body) ? 'application/xhtml+xml' : 'text/html';
  }
  if (/^<\?xml\s/i.test(body)) return 'application/xml';
  if (hintedMime === 'text/html' || hintedMime === 'application/xml') return hintedMime;
  // Markdown often starts with a tag, too. Without a hint from the client, the text is HTML, as for
  // browsers.
  const startsWithHtmlTag =
    /^<(?:h[1-6]|div|font|table|a|style|title|b|br|p|img|meta|link)[\s/>]/i.test(root);
  return hintedMime === null && startsWithHtmlTag ? 'text/html' : null;
}

/** The text after the declaration, comments, instructions and any doctype other than html. */
function afterProlog(body: string): string {
  // Parsed by hand: a single pattern would take quadratic time on crafted input.
  let remaining = body;
  for (;;) {
    let end: number;
    if (remaining.startsWith('<?')) end = endOf(remaining, '?>');
    else if (remaining.startsWith('<!--')) end = endOf(remaining, '-->');
    else if (/^<!DOCTYPE\s/i.test(remaining) && !/^<!DOCTYPE\s{1,64}html\b/i.test(remaining)) {
      const subset = remaining.indexOf('[');
      const close = endOf(remaining, '>');
      end = subset >= 0 && subset < close ? endOf(remaining, ']', '>') : close;
    } else return remaining;
    if (end < 0) return '';
    remaining = remaining.slice(end).trimStart();
  }
}

/** The index after the last of the marks, searched in order; -1 if one is missing. */
function endOf(text: string, ...marks: string[]): number {
  let at = 0;
  for (const mark of marks) {
    const found = text.indexOf(mark, at);
    if (found < 0) return -1;
    at = found + mark.length;
  }
  return at;
}
