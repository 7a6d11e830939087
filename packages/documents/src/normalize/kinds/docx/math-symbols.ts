import { readRows } from '../../../lists.ts';

const rows = readRows(new URL('./math-symbols.tsv', import.meta.url));
const named = (kind: string): [sign: string, name: string][] =>
  rows.flatMap(([of, sign = '', name = '']) => (of === kind ? [[sign, name]] : []));

/** Functions that LaTeX knows by name. */
export const functions: ReadonlySet<string> = new Set(named('function').map(([name]) => name));

/** Operators with limits. */
export const operators: ReadonlyMap<string, string> = new Map(
  named('operator').map(([sign, name]) => [sign, `\\${name}`]),
);

const commands: ReadonlyMap<string, string> = new Map(named('command'));

/** Returns a symbol in LaTeX, between spaces if it is a command. */
export function commandOf(sign: string): string {
  const command = commands.get(sign);
  if (command !== undefined) return ` \\${command} `;
  if (sign === '−') return ' - ';
  return /^[#$%&_{}]$/.test(sign) ? `\\${sign}` : sign === '\\' ? '\\backslash ' : sign;
}

/** Text of a formula as LaTeX. Letters of the mathematical alphabets become plain ones. */
export const texText = (text: string): string =>
  [...text]
    .flatMap((sign) => (commands.has(sign) ? [sign] : [...sign.normalize('NFKC')]))
    .map(commandOf)
    .join('')
    .replaceAll('\u200b', '');
