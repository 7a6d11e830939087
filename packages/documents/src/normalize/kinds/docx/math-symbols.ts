import { readRows } from '../../../tsv.ts';

const rows = readRows(new URL('./math-symbols.tsv', import.meta.url));
const rowsOfKind = (kind: string): [sign: string, name: string][] =>
  rows.flatMap(([of, sign = '', name = '']) => (of === kind ? [[sign, name]] : []));

/** The functions that have a LaTeX command. */
export const functionNames: ReadonlySet<string> = new Set(
  rowsOfKind('function').map(([name]) => name),
);

/** The LaTeX commands of operators with limits. */
export const operatorCommands: ReadonlyMap<string, string> = new Map(
  rowsOfKind('operator').map(([sign, name]) => [sign, `\\${name}`]),
);

const commands: ReadonlyMap<string, string> = new Map(rowsOfKind('command'));

/** Returns a symbol in LaTeX. Commands are surrounded by spaces. */
export function commandOf(sign: string): string {
  const command = commands.get(sign);
  if (command !== undefined) return ` \\${command} `;
  if (sign === '−') return ' - ';
  return /^[#$%&_{}]$/.test(sign) ? `\\${sign}` : sign === '\\' ? '\\backslash ' : sign;
}

/**
 * Returns the text of a formula as LaTeX. Letters of the mathematical alphabets become plain
 * letters.
 */
export const texText = (text: string): string =>
  [...text]
    .flatMap((sign) => (commands.has(sign) ? [sign] : [...sign.normalize('NFKC')]))
    .map(commandOf)
    .join('')
    .replaceAll('\u200b', '');
