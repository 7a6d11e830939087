/** A seeded random number generator (mulberry32). */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** At least 0 and below 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer, both bounds inclusive. */
  int(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(list: readonly T[]): T {
    if (list.length === 0) throw new Error('Cannot pick from an empty list.');
    return list[Math.floor(this.next() * list.length)]!;
  }

  /** One of the values, by weight. */
  weighted<T>(choices: readonly (readonly [number, T])[]): T {
    let rest = this.next() * choices.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, value] of choices) {
      rest -= weight;
      if (rest < 0) return value;
    }
    return choices.at(-1)![1];
  }

  /** `#` becomes a digit, `?` a capital letter, `!` a digit that is not 0. */
  pattern(text: string): string {
    return text.replace(/[#?!]/g, (place) => {
      if (place === '?') return String.fromCharCode(this.int(65, 90));
      return String(this.int(place === '!' ? 1 : 0, 9));
    });
  }
}
