import { readRows } from '../../../tsv.ts';

/** Symbols with a meaning, by font and code (without 0xF000). */
const symbols = new Map(
  readRows(new URL('./symbols.tsv', import.meta.url)).map(([font, code, sign]) => [
    `${font} ${Number.parseInt(code ?? '', 16)}`,
    sign,
  ]),
);

/** Returns the text of a symbol in a symbol font; a bullet if the symbol is unknown. */
export function symbolOf(font: string, hex: string): string {
  const code = Number.parseInt(hex, 16) & 0xff;
  if (/^wingdings 2$/i.test(font)) return symbols.get(`wingdings 2 ${code}`) ?? '•';
  if (/^wingdings/i.test(font)) return symbols.get(`wingdings ${code}`) ?? '•';
  if (/^symbol$/i.test(font)) {
    return (
      symbols.get(`symbol ${code}`) ??
      (code >= 0x20 && code < 0x41 ? String.fromCharCode(code) : '•')
    );
  }
  const point = Number.parseInt(hex, 16);
  const isPrivate = point >= 0xe000 && point <= 0xf8ff;
  return Number.isFinite(point) && !isPrivate && point > 31 ? String.fromCharCode(point) : '•';
}
