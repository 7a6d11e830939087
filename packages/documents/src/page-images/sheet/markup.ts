import type { Mark, Span } from '../../normalize/document.ts';
import { monospaceFamily } from './fonts.ts';

export const textColour = '#1f2328';
export const mutedColour = '#5b6270';
const linkColour = '#1d5fbf';

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Maximum number of lines. More do not fit on a sheet. */
const maxLines = 100;

/**
 * Truncates a text to `maxLength` characters and `lines` lines. The layout of an unlimited text
 * would need unlimited memory.
 */
function truncate(text: string, maxLength: number, lines: number): string {
  const cut = text.slice(0, maxLength);
  let end = -1;
  for (let line = 0; line < lines; line += 1) {
    end = cut.indexOf('\n', end + 1);
    if (end < 0) return cut;
  }
  return cut.slice(0, end);
}

/** Returns a plain text as markup, limited to a number of characters. */
export const plainMarkup = (text: string, maxLength: number): string =>
  escapeMarkup(truncate(normaliseLineEnds(text.slice(0, maxLength)), maxLength, maxLines));

/** Normalises line ends. */
const normaliseLineEnds = (text: string): string => text.replace(/\r\n?|[\u2028\u2029\v\f]/g, '\n');

/** Returns a text as Pango markup, without characters that XML does not allow. */
function escapeMarkup(text: string): string {
  return text
    .replace(/[^\P{Cc}\n\t]|[\p{Cs}\ufffe\uffff]/gu, '')
    .replace(/[&<>"']/g, (character) => escapes[character] ?? '');
}

const openingTags: Record<Mark, string> = {
  bold: '<span weight="bold">',
  italic: '<span style="italic">',
  code: `<span font_family="${monospaceFamily}" size="92%">`,
  strike: '<span strikethrough="true">',
  superscript: '<span rise="superscript" size="70%">',
  subscript: '<span rise="subscript" size="70%">',
  formula: '<span style="italic">',
  footnote: '<span rise="superscript" size="70%">',
};

/** Returns spans as markup, limited to a number of characters. */
export function markupOf(spans: readonly Span[], maxLength: number): string {
  let remaining = maxLength;
  let remainingLines = maxLines;
  let markup = '';
  for (const { text, marks, href } of spans) {
    if (remaining <= 0 || remainingLines <= 0) break;
    const tags = marks.map((mark) => openingTags[mark]);
    if (href !== null) tags.push(`<span foreground="${linkColour}">`);
    const whole = normaliseLineEnds(text.slice(0, remaining));
    const shown = truncate(whole, remaining, remainingLines);
    markup += tags.join('') + escapeMarkup(shown) + '</span>'.repeat(tags.length);
    remaining -= text.length;
    remainingLines -= shown.split('\n').length - 1;
    if (shown.length < whole.length) break;
  }
  return markup;
}
