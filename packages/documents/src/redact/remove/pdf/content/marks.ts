import { readOperations } from './operands.ts';

/** Operators that mark content and do not draw (PDF 32000-1 §14.6). */
export const markOperators: ReadonlySet<string> = new Set(['BMC', 'BDC', 'EMC', 'MP', 'DP']);

/**
 * Returns a content stream without marked content operators, comments and bytes between operators.
 * This removes structure, alternative texts and layers. The drawn content remains the same.
 */
export function removeMarks(bytes: Uint8Array): string {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let out = '';
  for (const { name, operands, start, end } of readOperations(bytes)) {
    if (markOperators.has(name)) continue;
    for (const { text } of operands) out += `${text} `;
    out += `${view.toString('latin1', start, end)}\n`;
  }
  return out;
}
