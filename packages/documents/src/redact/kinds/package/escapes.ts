/**
 * Decodes text in which `_x0020_` represents a space (ST_Xstring, ECMA-376 part 1, 22.9.2.19), as in
 * cells, slides and charts. Characters that XML does not allow become spaces.
 */
export const decodeEscapes = (text: string): string =>
  text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => {
    const code = Number.parseInt(hex, 16);
    const isAllowed = code >= 0x20 ? code < 0xfffe : code === 9 || code === 10 || code === 13;
    return isAllowed ? String.fromCharCode(code) : ' ';
  });
