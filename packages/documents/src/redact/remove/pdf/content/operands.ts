/** Reads the operands of content streams (PDF 32000-1 §7.3) from the bytes of their tokens. */
import { readTokens } from '../../../../pdf/content-stream.ts';

/** An operator with its operands. `text` is the source, byte for byte. */
export interface RewriteOperation {
  name: string;
  operands: Operand[];
  /**
   * The range of the operator without its operands. For `ID`, it contains the data of the inline
   * image.
   */
  start: number;
  end: number;
}

export interface Operand {
  text: string;
}

/** Maximum number of operands before an operator. A stream with more is not a content stream. */
const maxOperands = 100_000;

/** Yields the operations of a content stream, in order. */
export function* readOperations(bytes: Uint8Array): Generator<RewriteOperation> {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let operands: Operand[] = [];
  for (const { kind, text, start, end } of readTokens(bytes)) {
    if (kind === 'operand') {
      if (operands.length < maxOperands) {
        operands.push({ text: view.toString('latin1', start, end) });
      }
      continue;
    }
    yield { name: text, operands, start, end };
    operands = [];
  }
}

export function operandNumber(operand: Operand | undefined): number {
  const value = Number.parseFloat(operand?.text.replace(/^[+-]*-/, '-') ?? '');
  return Number.isFinite(value) ? value : 0;
}

/**
 * Returns the name without its slash and with #xx decoded; undefined for operands that are not
 * names.
 */
export function operandName(operand: Operand | undefined): string | undefined {
  if (!operand?.text.startsWith('/')) return undefined;
  return operand.text
    .slice(1)
    .replace(/#([0-9a-fA-F]{2})/g, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    );
}

export const isStringOperand = ({ text }: Operand): boolean => /^[(<]./s.test(text);

const escapes: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, b: 8, f: 12 };

/** Returns the bytes of a literal or hexadecimal string. */
export function stringBytes({ text }: Operand): number[] {
  if (text.startsWith('<')) {
    const digits = text.replace(/[^0-9a-fA-F]/g, '');
    const evenDigits = digits.length % 2 === 0 ? digits : `${digits}0`;
    return [...Buffer.from(evenDigits, 'hex')];
  }
  const bytes: number[] = [];
  const end = text.endsWith(')') ? text.length - 1 : text.length;
  let at = 1;
  while (at < end) {
    const byte = text.charCodeAt(at);
    at += 1;
    if (byte === 13) {
      if (text.charCodeAt(at) === 10) at += 1;
      bytes.push(10);
    } else if (byte !== 0x5c) {
      bytes.push(byte);
    } else {
      const octal = /^[0-7]{1,3}/.exec(text.slice(at, at + 3))?.[0];
      const next = text[at] ?? '';
      if (octal) {
        bytes.push(Number.parseInt(octal, 8) & 0xff);
        at += octal.length;
      } else if (next === '\r' || next === '\n') {
        at += next === '\r' && text[at + 1] === '\n' ? 2 : 1;
      } else {
        bytes.push(escapes[next] ?? text.charCodeAt(at));
        at += 1;
      }
    }
  }
  return bytes;
}
