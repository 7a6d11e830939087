import type { Reading } from './scores/read.ts';
import { cellsOf } from './scores/table.ts';

/** The multiset difference of two lists, in order. */
export function multisetDifference(list: readonly string[], other: readonly string[]): string[] {
  const remaining = new Map<string, number>();
  for (const item of other) remaining.set(item, (remaining.get(item) ?? 0) + 1);
  return list.filter((item) => {
    const rest = remaining.get(item) ?? 0;
    remaining.set(item, rest - 1);
    return rest <= 0;
  });
}

/** Describes what is missing (`-`) and what is extra (`+`), with both outlines side by side. */
export function describeDifference(expected: Reading, actual: Reading): string {
  const lines: string[] = [];
  const compare = (title: string, list: (reading: Reading) => string[], separator: string) => {
    const missing = multisetDifference(list(expected), list(actual));
    const extra = multisetDifference(list(actual), list(expected));
    lines.push(`${title}: ${missing.length} missing, ${extra.length} too many`);
    if (missing.length > 0) lines.push(`  - ${missing.join(separator)}`);
    if (extra.length > 0) lines.push(`  + ${extra.join(separator)}`);
  };
  const headings = ({ headings }: Reading) =>
    headings.map(({ level, text }) => `${'#'.repeat(level)} ${text}`);
  const cells = ({ tables }: Reading) =>
    tables.flatMap((grid) => cellsOf(grid).cells.map(({ text }) => text));
  compare('words', ({ words }) => words, ' ');
  compare('headings', headings, '\n    ');
  compare('cells', cells, ' | ');
  for (const [name, { tables }] of [
    ['expected', expected],
    ['ours', actual],
  ] as const) {
    const sizes = tables.map(
      (grid) => `${grid.length} × ${Math.max(...grid.map((row) => row.length))}`,
    );
    lines.push(`tables ${name}: ${sizes.join(', ') || 'none'}`);
  }
  return lines.join('\n');
}
