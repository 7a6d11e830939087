import { expect } from 'chai';
import fc from 'fast-check';
import {
  maxPositionLength,
  positionBetween,
  positionsAfter,
  positionsWithin,
} from '../../../src/library/collections/members/position.ts';

const wellFormed = /^(?:[a-z]|[A-Z])[0-9A-Za-z]+$/;

/** A list with insertions, like a collection: positions are rebalanced when one is too long. */
class Shelf {
  positions: string[] = [];
  spreads = 0;

  insert(at: number): void {
    const place = () => positionBetween(this.positions[at - 1] ?? null, this.positions[at] ?? null);
    let made = place();
    if (made.length > maxPositionLength) {
      this.positions = positionsWithin(null, null, this.positions.length);
      this.spreads += 1;
      made = place();
    }
    this.positions.splice(at, 0, made);
  }

  check(): void {
    for (const [at, position] of this.positions.entries()) {
      expect(position).to.match(wellFormed);
      expect(position.length).to.be.at.most(maxPositionLength);
      if (at > 0) expect(this.positions[at - 1]! < position, `${at}`).to.equal(true);
    }
  }
}

describe('positions of members', () => {
  it('are strictly between their neighbours, wherever members are inserted', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 400 }),
        (places) => {
          const shelf = new Shelf();
          for (const place of places) shelf.insert(Math.round(place * shelf.positions.length));
          shelf.check();
        },
      ),
    );
  });

  it('are strictly between any two valid positions', () => {
    // Fractions do not end in a zero; the first character of a whole number is its length.
    const digit = fc.constantFrom(
      ...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
    );
    const head = fc.constantFrom('W', 'X', 'Y', 'Z', 'a', 'b', 'c', 'd', 'f');
    const position = fc
      .tuple(
        head,
        fc.array(digit, { minLength: 8, maxLength: 8 }),
        fc.array(digit, { maxLength: 8 }),
      )
      .map(([first, whole, fraction]) => {
        const length = first >= 'a' ? first.charCodeAt(0) - 96 : 91 - first.charCodeAt(0);
        return first + whole.slice(0, length).join('') + fraction.join('').replace(/0+$/, '');
      });
    fc.assert(
      fc.property(position, position, (one, other) => {
        fc.pre(one !== other);
        const [low, high] = one < other ? [one, other] : [other, one];
        const between = positionBetween(low, high);
        expect([low, between, high]).to.deep.equal([low, between, high].sort(byBytes));
        expect(new Set([low, between, high]).size).to.equal(3);
        expect(between).to.match(wellFormed);
        expect(positionBetween(null, low) < low).to.equal(true);
        expect(positionBetween(high, null) > high).to.equal(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('are generated in bulk between two others, in order and about as long as these', () => {
    const shelf = new Shelf();
    for (let at = 0; at < 300; at++) shelf.insert(Math.min(at, 2));
    const { positions } = shelf;
    fc.assert(
      fc.property(
        fc.nat(299),
        fc.nat(299),
        fc.integer({ min: 1, max: 1_000 }),
        (one, other, count) => {
          fc.pre(one !== other);
          const low = positions[Math.min(one, other)]!;
          const high = positions[Math.max(one, other)]!;
          const made = positionsWithin(low, high, count);
          const all = [low, ...made, high];
          expect(all.every((position, at) => at === 0 || all[at - 1]! < position)).to.equal(true);
          const longest = Math.max(...made.map(({ length }) => length));
          expect(longest).to.be.at.most(Math.max(low.length, high.length) + 4);
          expect(made).to.have.length(count);
        },
      ),
    );
    expect(positionsWithin(null, null, 100_000).every(({ length }) => length <= 8)).to.equal(true);
  });

  it('stay short at both ends', () => {
    const after = positionsAfter(null, 100_000);
    expect(after.at(-1)!.length).to.be.at.most(4);
    expect(after.every((position, at) => at === 0 || after[at - 1]! < position)).to.equal(true);
    let first = after[0]!;
    for (let at = 0; at < 100_000; at++) {
      const before = positionBetween(null, first);
      expect(before < first).to.equal(true);
      first = before;
    }
    expect(first.length).to.be.at.most(4);
  });

  it('are rebalanced only after hundreds of moves to the worst position', () => {
    // Next to the last insertion: below it, above it, on alternating sides.
    for (const step of [() => 0, () => 1, (turn: number) => turn % 2]) {
      const shelf = new Shelf();
      shelf.insert(0);
      shelf.insert(1);
      let at = 1;
      for (let turn = 0; turn < 2_000; turn++) {
        shelf.insert(at);
        at += step(turn);
      }
      shelf.check();
      expect(shelf.spreads).to.be.within(1, 5);
    }
  });

  it('are rejected as bounds if nothing fits between them', () => {
    expect(() => positionBetween('a1', 'a1')).to.throw();
    expect(() => positionBetween('a1', 'a0')).to.throw();
  });
});

function byBytes(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
