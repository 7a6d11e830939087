/** Symbols of Wingdings with a meaning, by code (without 0xF000). */
const wingdings: ReadonlyMap<number, string> = new Map([
  [0x22, '✂'],
  [0x28, '☎'],
  [0x2a, '✉'],
  [0x4a, '☺'],
  [0x6c, '●'],
  [0x6e, '■'],
  [0x6f, '☐'],
  [0x71, '❑'],
  [0x72, '❒'],
  [0x75, '◆'],
  [0x76, '❖'],
  [0x9f, '•'],
  [0xa7, '▪'],
  [0xa8, '☐'],
  [0xd8, '➢'],
  [0xdf, '←'],
  [0xe0, '→'],
  [0xe1, '↑'],
  [0xe2, '↓'],
  [0xe8, '➔'],
  [0xf0, '⇨'],
  [0xfb, '✗'],
  [0xfc, '✓'],
  [0xfd, '☒'],
  [0xfe, '☑'],
]);

const wingdings2: ReadonlyMap<number, string> = new Map([
  [0x4f, '✗'],
  [0x50, '✓'],
  [0x51, '☒'],
  [0x52, '☑'],
  [0x53, '☒'],
  [0x54, '☒'],
  [0xa3, '☐'],
]);

/** Greek letters and symbols of the font Symbol, from 0x61 and singly. */
const symbolGreek = 'αβχδεφγηιϕκλμνοπθρστυϖωξψζ';
const symbols: ReadonlyMap<number, string> = new Map([
  ...[...symbolGreek].map((letter, index): [number, string] => [0x61 + index, letter]),
  ...[...'ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ'].map((letter, index): [number, string] => [
    0x41 + index,
    letter,
  ]),
  [0xa3, '≤'],
  [0xa5, '∞'],
  [0xae, '→'],
  [0xb0, '°'],
  [0xb1, '±'],
  [0xb3, '≥'],
  [0xb4, '×'],
  [0xb7, '•'],
  [0xb9, '≠'],
  [0xbb, '≈'],
  [0xd2, '®'],
  [0xd3, '©'],
  [0xd4, '™'],
]);

/** The text of a symbol in a symbol font; a bullet if it is unknown. */
export function symbolOf(font: string, hex: string): string {
  const code = Number.parseInt(hex, 16) & 0xff;
  if (/^wingdings 2$/i.test(font)) return wingdings2.get(code) ?? '•';
  if (/^wingdings/i.test(font)) return wingdings.get(code) ?? '•';
  if (/^symbol$/i.test(font)) {
    return symbols.get(code) ?? (code >= 0x20 && code < 0x41 ? String.fromCharCode(code) : '•');
  }
  const point = Number.parseInt(hex, 16);
  const isPrivate = point >= 0xe000 && point <= 0xf8ff;
  return Number.isFinite(point) && !isPrivate && point > 31 ? String.fromCharCode(point) : '•';
}
