import type { Readable } from 'node:stream';

/**
 * The descriptor through which parent and child exchange messages, one line of JSON per message.
 */
export const channelDescriptor = 3;

/** Maximum nesting of a message from a child. Valid messages need a fifth of it. */
const maxDepth = 64;

/**
 * Reads lines of at most `maxBytes`. A longer line ends the reading and calls `onFault`, because it
 * may be meant to exhaust the memory of the parent.
 */
export function readLines(
  stream: Readable,
  maxBytes: number,
  onLine: (line: string) => void,
  onFault: () => void,
): void {
  let parts: Buffer[] = [];
  let bytes = 0;
  let hasEnded = false;
  stream.on('error', () => undefined);
  stream.on('data', (chunk: Buffer) => {
    let from = 0;
    while (!hasEnded) {
      const end = chunk.indexOf(10, from);
      const part = chunk.subarray(from, end < 0 ? chunk.length : end);
      bytes += part.length;
      if (bytes > maxBytes) {
        hasEnded = true;
        parts = [];
        onFault();
        return;
      }
      parts.push(part);
      if (end < 0) return;
      const line = Buffer.concat(parts).toString('utf8');
      parts = [];
      bytes = 0;
      from = end + 1;
      onLine(line);
    }
  });
}

/** Parses a message of a child; returns undefined if the message is invalid. */
export function parseMessage(line: string): object | undefined {
  try {
    const message: unknown = JSON.parse(line);
    if (typeof message !== 'object' || message === null || !isPlainData(message, 0))
      return undefined;
    return message;
  } catch {
    return undefined;
  }
}

/**
 * Whether data is nested at most `maxDepth` deep and has no key with a special meaning in
 * JavaScript.
 */
function isPlainData(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (depth > maxDepth) return false;
  if (Array.isArray(value)) return value.every((item) => isPlainData(item, depth + 1));
  // Parsed objects have no inherited keys, and a loop takes half the time of a list of entries.
  for (const key in value) {
    if (key === '__proto__' || !isPlainData(Reflect.get(value, key), depth + 1)) return false;
  }
  return true;
}
