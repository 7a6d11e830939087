import type { Mark, Span } from '../../normalize/document.ts';
import { monospaceFamily } from './fonts.ts';

export const ink = '#1f2328';
export const softInk = '#5b6270';
const linkInk = '#1d5fbf';

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
 * Limits a text to `most` characters and `lines` lines. The layout of an unlimited text would need
 * unlimited space.
 */
function beginning(text: string, most: number, lines: number): string {
  const cut = text.slice(0, most);
  let end = -1;
  for (let line = 0; line < lines; line += 1) {
    end = cut.indexOf('\n', end + 1);
    if (end < 0) return cut;
  }
  return cut.slice(0, end);
}

/** Returns a plain text as markup, limited to a number of characters. */
export const plainMarkup = (text: string, most: number): string =>
  escaped(beginning(withLines(text.slice(0, most)), most, maxLines));

/** Normalises line ends. */
const withLines = (text: string): string => text.replace(/\r\n?|[\u2028\u2029\v\f]/g, '\n');

/** Returns a text as Pango markup, without characters that XML does not allow. */
function escaped(text: string): string {
  return text
    .replace(/[^\P{Cc}\n\t]|[\p{Cs}\ufffe\uffff]/gu, '')
    .replace(/[&<>"']/g, (character) => escapes[character] ?? '');
}

const openings: Record<Mark, string> = {
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
export function markupOf(spans: readonly Span[], most: number): string {
  let left = most;
  let lines = maxLines;
  let markup = '';
  for (const { text, marks, href } of spans) {
    if (left <= 0 || lines <= 0) break;
    const opened = marks.map((mark) => openings[mark]);
    if (href !== null) opened.push(`<span foreground="${linkInk}">`);
    const whole = withLines(text.slice(0, left));
    const shown = beginning(whole, left, lines);
    markup += opened.join('') + escaped(shown) + '</span>'.repeat(opened.length);
    left -= text.length;
    lines -= shown.split('\n').length - 1;
    if (shown.length < whole.length) break;
  }
  return markup;
}
