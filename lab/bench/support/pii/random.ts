/** Random-looking numbers that are the same in every run (mulberry32). */
export interface Random {
  below(limit: number): number;
  pick<T>(choices: readonly T[]): T;
  /**
   * Characters for a pattern: `9` a digit, `1` a digit except 0, `A` a letter, anything else
   * itself.
   */
  fromPattern(pattern: string): string;
}

export function seededRandom(seed: number): Random {
  let state = seed;
  const below = (limit: number) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
  const expand = (kind: string) => {
    if (kind === '9') return String(below(10));
    if (kind === '1') return String(1 + below(9));
    return kind === 'A' ? String.fromCharCode(65 + below(26)) : kind;
  };
  return {
    below,
    pick<T>(choices: readonly T[]): T {
      const choice = choices[below(choices.length)];
      if (choice === undefined) throw new Error('The list to pick from is empty.');
      return choice;
    },
    fromPattern: (pattern) => Array.from(pattern, expand).join(''),
  };
}
