import { readLists } from '../../tsv.ts';
import { foldedWords } from '../features/words.ts';

/** The topics of documents with their phrases in several languages, without case and accents. */
const concepts = readLists(new URL('./phrases.tsv', import.meta.url));

export const conceptNames: readonly string[] = [...concepts.keys()];

/** Concepts whose phrases count only at the start of a line. */
const startOnlyConcepts = new Set(['salutation', 'closing', 'mail_headers']);

/**
 * A node of the phrase trie: `ends` lists the phrases that end here, `next` the branches by next
 * word.
 */
export type PhraseNode = {
  ends: { concept: number; startOnly: boolean }[];
  next: Map<string, PhraseNode>;
};

function buildTrie(): PhraseNode {
  const root: PhraseNode = { ends: [], next: new Map() };
  for (const [concept, [name, conceptPhrases]] of [...concepts].entries()) {
    for (const phrase of conceptPhrases) {
      const words = foldedWords(phrase);
      let node = root;
      for (const word of words) {
        let next = node.next.get(word);
        if (!next) {
          next = { ends: [], next: new Map() };
          node.next.set(word, next);
        }
        node = next;
      }
      // Short words have other meanings inside a sentence.
      const isShort = words.length === 1 && words[0]!.length <= 3;
      if (!node.ends.some((end) => end.concept === concept)) {
        node.ends.push({ concept, startOnly: isShort || startOnlyConcepts.has(name) });
      }
    }
  }
  return root;
}

export const phraseTrie: PhraseNode = buildTrie();
