import type { Random } from './random.ts';

/**
 * Generates words that resemble those of a list but are mostly not on any list, with a Markov chain
 * over three letters. They prevent the tagger from relying only on lists.
 */
export class Inventor {
  private readonly next = new Map<string, string>();

  constructor(words: readonly string[]) {
    for (const word of words) {
      const marked = `^^^${word}$`;
      for (let at = 3; at < marked.length; at++) {
        const key = marked.slice(at - 3, at);
        this.next.set(key, (this.next.get(key) ?? '') + marked[at]);
      }
    }
  }

  invent(random: Random): string {
    for (let tries = 0; tries < 20; tries++) {
      let made = '^^^';
      while (made.length < 20) {
        const letters = this.next.get(made.slice(-3));
        if (!letters) break;
        const letter = letters[random.int(0, letters.length - 1)]!;
        if (letter === '$') break;
        made += letter;
      }
      const word = made.slice(3);
      if (word.length > 2 && word.length < 14) return word;
    }
    return 'Orlan';
  }
}
