import type { DefaultTreeAdapterTypes } from 'parse5';
import { isPiece, lineEnd, type Stream, type StreamPart } from '../stream.ts';

/** Maximum length of the text before a form field that is its label, in characters. */
const maxLabelLength = 80;

/** Form fields whose value is not written by people. */
const fixedValues = /^(?:submit|button|reset|image|checkbox|radio|range|color)$/i;

/**
 * Returns words that indicate the content of an attribute, if any: the name of a data attribute
 * (`data-user`), or the text before a form field, on its line or on the previous one.
 */
export function contextOf(
  { tagName, attrs }: DefaultTreeAdapterTypes.Element,
  attribute: string,
  { parts }: Stream,
): string {
  if (attribute.startsWith('data-')) return attribute.slice(5).replace(/[-_.]+/g, ' ');
  if (attribute !== 'value' || tagName !== 'input') return '';
  if (attrs.some(({ name, value }) => name === 'type' && fixedValues.test(value))) return '';
  const label = lastLine(parts).replace(/[\s:]+$/, '');
  return label.length <= maxLabelLength ? label : '';
}

/** Returns the text of the last line that has any. */
function lastLine(parts: readonly StreamPart[]): string {
  let line = '';
  for (let at = parts.length - 1; at >= 0 && line.length <= maxLabelLength; at -= 1) {
    const part = parts[at]!;
    if (part === lineEnd && line !== '') break;
    if (isPiece(part)) line = `${part.text.replace(/\s+/g, ' ')} ${line}`.trim();
  }
  return line;
}
