import { EngineError } from '@scriptorium/sandbox/errors';

/** A token of RTF: a brace, a control word with its number, or bytes of text. */
export type Token =
  | { kind: 'open' | 'close' }
  | { kind: 'word'; name: string; value: number | null }
  | { kind: 'bytes'; bytes: Uint8Array };

const maxTokens = 20e6;
const space = 32;
const backslash = 92;

const isLetter = (byte: number): boolean =>
  (byte >= 97 && byte <= 122) || (byte >= 65 && byte <= 90);
const isDigit = (byte: number): boolean => byte >= 48 && byte <= 57;

/**
 * Yields the tokens of RTF (specification 1.9.1) without line ends, which have no meaning. Throws
 * EngineError.
 */
export function* tokensOf(bytes: Uint8Array): Generator<Token> {
  let count = 0;
  for (let at = 0; at < bytes.length; ) {
    count += 1;
    if (count > maxTokens) throw new EngineError('too_large', 'The file has too many parts.');
    const byte = bytes[at]!;
    if (byte === 123) yield { kind: 'open' };
    else if (byte === 125) yield { kind: 'close' };
    if (byte === 123 || byte === 125 || byte === 10 || byte === 13 || byte === 0) at += 1;
    else if (byte !== backslash) {
      let end = at + 1;
      while (end < bytes.length && ![backslash, 123, 125, 10, 13, 0].includes(bytes[end]!))
        end += 1;
      yield { kind: 'bytes', bytes: bytes.subarray(at, end) };
      at = end;
    } else {
      const { token, end } = controlAt(bytes, at + 1);
      if (token) yield token;
      // The binary data of pictures is not text.
      at =
        token?.kind === 'word' && token.name === 'bin' ? end + Math.max(0, token.value ?? 0) : end;
    }
  }
}

/** Reads the control word or symbol after a backslash. */
function controlAt(bytes: Uint8Array, start: number): { token: Token | null; end: number } {
  const first = bytes[start];
  if (first === undefined) return { token: null, end: start };
  if (first === 39) {
    const code = Number.parseInt(
      Buffer.from(bytes.subarray(start + 1, start + 3)).toString('latin1'),
      16,
    );
    const token: Token | null = Number.isNaN(code)
      ? null
      : { kind: 'bytes', bytes: Uint8Array.of(code) };
    return { token, end: start + 3 };
  }
  if (!isLetter(first)) {
    return {
      token: { kind: 'word', name: String.fromCharCode(first), value: null },
      end: start + 1,
    };
  }
  let end = start;
  while (end < bytes.length && end - start < 40 && isLetter(bytes[end]!)) end += 1;
  const name = Buffer.from(bytes.subarray(start, end)).toString('latin1');
  const from = end;
  if (bytes[end] === 45) end += 1;
  while (end < bytes.length && end - from < 12 && isDigit(bytes[end]!)) end += 1;
  const digits = Buffer.from(bytes.subarray(from, end)).toString('latin1');
  if (digits === '-') end = from;
  const value = digits === '' || digits === '-' ? null : Number(digits);
  if (bytes[end] === space) end += 1;
  return { token: { kind: 'word', name, value }, end };
}
