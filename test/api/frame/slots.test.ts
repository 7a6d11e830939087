import { Problem } from '@scriptorium/contracts/problems';
import { expect } from 'chai';
import { createSlots } from '../../../src/api/frame/slots.ts';

describe('slots for long work', () => {
  const start = () => {
    const slots = createSlots({ total: 8, perHolder: 2 });
    /** The function that releases the slot; null if none was free. */
    const take = (project: string, key: string): (() => void) | null => {
      try {
        return slots.take(project, key);
      } catch (error) {
        if (error instanceof Problem && error.code === 'rate_limited') return null;
        throw error;
      }
    };
    /** How many of eight keys of a project get one. */
    const takeAll = (project: string): (() => void)[] =>
      Array.from({ length: 8 }, (_, at) => take(project, `${project} ${at}`)).filter(
        (release) => release !== null,
      );
    return { take, takeAll };
  };

  it('are half of all for a project that is alone, and some are left for the next ones', () => {
    const { takeAll } = start();
    expect(['a', 'b', 'c'].map((project) => takeAll(project).length)).to.deep.equal([4, 2, 1]);
    expect(takeAll('d')).to.have.length(1);
    expect(takeAll('e')).to.have.length(0);
  });

  it('are bounded for a key, and each is released once', () => {
    const { take, takeAll } = start();
    const first = take('a', 'key');
    expect(take('a', 'key')).to.be.a('function');
    expect(take('a', 'key')).to.equal(null);
    first?.();
    first?.();
    expect(take('a', 'key')).to.be.a('function');
    expect(take('a', 'key')).to.equal(null);
    expect(takeAll('a')).to.have.length(2);
  });
});
