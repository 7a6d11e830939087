const marks = /\p{M}/gu;
/** Letters and digits that recognisers confuse. They are treated as equal. */
const lookalikes: Record<string, string> = { '0': 'o', '1': 'i', l: 'i', '|': 'i', '5': 's' };

/**
 * Returns a word without case, accents and likely misreadings. Numbers are reduced to their number
 * of digits.
 */
function fold(word: string): string {
  if (/^\p{N}+$/u.test(word)) return word.length > 4 ? '#####' : '#'.repeat(word.length);
  return word.replace(/[01l|5]/g, (sign) => lookalikes[sign]!).replaceAll('rn', 'm');
}

/** Returns the folded words of a line. */
export function foldedWords(line: string): string[] {
  const plain = line.normalize('NFKD').replace(marks, '').toLowerCase();
  return (plain.match(/[\p{L}\p{N}|]+|#/gu) ?? []).map(fold);
}
