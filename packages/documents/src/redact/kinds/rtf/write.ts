import type { Piece } from '../stream.ts';

/** Control words and braces, or a run of text. */
export type OutputItem = string | Piece;

/** The beginning of every output. Fonts of other names are replaced by one of their family. */
export const prologue =
  '{\\rtf1\\ansi\\ansicpg1252\\uc1\\deff0{\\fonttbl{\\f0\\froman Times New Roman;}{\\f1\\fswiss Arial;}{\\f2\\fmodern Courier New;}}\n';

/** Writes Rich Text Format in ASCII. */
export const writeRtf = (items: readonly OutputItem[]): Uint8Array =>
  Buffer.from(
    `${prologue}${items
      .map((item) => (typeof item === 'string' ? item : escapeText(item.redacted ?? item.text)))
      .join('')}}\n`,
    'latin1',
  );

/** Writes text, with other characters than those of ASCII as signed 16-bit numbers. */
function escapeText(text: string): string {
  return text.replace(/[^ -[\]-z|~]/g, (unit) => {
    if (unit === '\\' || unit === '{' || unit === '}') return `\\${unit}`;
    if (unit === '\t') return '\\tab ';
    const code = unit.charCodeAt(0);
    return `\\u${code > 32_767 ? code - 65_536 : code}?`;
  });
}
