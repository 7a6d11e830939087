import { characters } from '@scriptorium/pii/tagger/characters';

/** Returns the hash of a word as `TaggerSegment.word` has it. */
export function wordHash(word: string): number {
  const { lower } = characters();
  let hash = 0x811c9dc5 | 0;
  for (let at = 0; at < word.length; at++) {
    hash = Math.imul(hash ^ lower[word.charCodeAt(at)]!, 0x01000193);
  }
  return hash;
}
