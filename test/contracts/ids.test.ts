import { idFloor, idPrefixes, isId, newId, setIdClock } from '@scriptorium/contracts/ids';
import { expect } from 'chai';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** The 128 bits that an ID encodes. */
function bitsOf(id: string): bigint {
  const text = id.slice(id.indexOf('_') + 1);
  return [...text].reduce((bits, sign) => (bits << 5n) | BigInt(alphabet.indexOf(sign)), 0n);
}

describe('IDs', () => {
  it('have the form of their kind and of no other', () => {
    for (const kind of Object.keys(idPrefixes) as (keyof typeof idPrefixes)[]) {
      const id = newId(kind);
      expect(id).to.match(/^[a-z]{3,4}_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
      for (const other of Object.keys(idPrefixes) as (keyof typeof idPrefixes)[]) {
        expect(isId(other, id)).to.equal(other === kind);
      }
    }
  });

  it('are UUIDs of version 7 with the time of their creation', () => {
    const time = 1_792_000_000_000;
    const before = setIdClock(() => time);
    try {
      const made = Array.from({ length: 2_000 }, () => bitsOf(newId('task')));
      for (const bits of made) {
        expect(bits >> 128n).to.equal(0n);
        expect((bits >> 76n) & 0xfn).to.equal(7n);
        expect((bits >> 62n) & 3n).to.equal(2n);
        expect(Number(bits >> 80n)).to.equal(time);
      }
    } finally {
      setIdClock(before);
    }
  });

  it('sort from the floor of their millisecond on', () => {
    const time = Number(bitsOf(newId('event')) >> 80n);
    const later = newId('event');
    expect(later >= idFloor('event', time)).to.equal(true);
    expect(later < idFloor('event', Number(bitsOf(later) >> 80n) + 1)).to.equal(true);
    expect(idFloor('event', 1_792_000_000_000)).to.equal('evt_01m4xrc0000000000000000000');
  });

  it('sort in order of creation, even thousands in one millisecond, and never repeat', () => {
    const made = Array.from({ length: 100_000 }, () => newId('event'));
    for (let at = 1; at < made.length; at++) {
      if (!(made[at - 1]! < made[at]!)) expect.fail(`${made[at - 1]} before ${made[at]}`);
    }
    expect(new Set(made).size).to.equal(made.length);
  });

  it('differ in all 62 random bits, also across draws of random bytes', () => {
    const random = (1n << 62n) - 1n;
    const made = Array.from({ length: 3_000 }, () => bitsOf(newId('object')) & random);
    let everSet = 0n;
    let everClear = 0n;
    for (const bits of made) {
      everSet |= bits;
      everClear |= ~bits & random;
    }
    expect(everSet).to.equal(random);
    expect(everClear).to.equal(random);
    expect(new Set(made).size).to.equal(made.length);
  });
});
