/**
 * Translates asynchronous Python to synchronous Python, so that the client is written once. Covers
 * only what the modules of clients/python/src/scriptorium/_async use.
 */
const replacements: readonly (readonly [RegExp, string])[] = [
  [/\basync (def|with|for)\b/g, '$1'],
  [/\bawait /g, ''],
  [/\bAsync(?=[A-Z])/g, ''],
  [/__a(enter|exit|iter|next)__/g, '__$1__'],
  [/\bStopAsyncIteration\b/g, 'StopIteration'],
  [/\baclose\b/g, 'close'],
  [/\b_async\b/g, '_sync'],
  [/\bnet\.asynchronous\b/g, 'net.synchronous'],
];

/** Returns the synchronous form of a module. */
export function toSynchronous(code: string): string {
  return replacements.reduce((text, [pattern, by]) => text.replaceAll(pattern, by), code);
}
