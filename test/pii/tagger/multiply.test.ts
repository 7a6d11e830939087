import { createMultiplier } from '@scriptorium/pii/tagger/multiply';
import { expect } from 'chai';

/** The same numbers as plain JavaScript gives, which rounds after each step. */
function expected(values: Float32Array, rows: number, inputs: number, outputs: number): number[] {
  const [w, y] = [rows * inputs, rows * inputs + inputs * outputs];
  return Array.from({ length: rows * outputs }, (_, cell) => {
    const [row, output] = [Math.floor(cell / outputs), cell % outputs];
    let sum = values[y + cell]!;
    for (let input = 0; input < inputs; input++) {
      const part = values[row * inputs + input]! * values[w + input * outputs + output]!;
      sum = Math.fround(sum + Math.fround(part));
    }
    return sum;
  });
}

describe('the multiplication of matrices', () => {
  for (const [rows, inputs, outputs] of [
    [4, 1, 8],
    [8, 5, 16],
    [12, 64, 96],
    [64, 96, 104],
  ] as const) {
    it(`gives what plain JavaScript gives for ${rows} × ${inputs} × ${outputs}`, () => {
      const { memory, multiply } = createMultiplier(200_000);
      const values = new Float32Array(memory.buffer);
      const [w, y] = [rows * inputs, rows * inputs + inputs * outputs];
      for (let at = 0; at < y + rows * outputs; at++) values[at] = Math.sin(at * at + 1);
      const wanted = expected(values, rows, inputs, outputs);
      multiply(0, 4 * w, 4 * y, rows, inputs, outputs);
      expect(Array.from(values.subarray(y, y + rows * outputs))).to.deep.equal(wanted);
    });
  }

  it('writes nothing outside of the result', () => {
    const { memory, multiply } = createMultiplier(65_536);
    const values = new Float32Array(memory.buffer).fill(1);
    multiply(0, 400, 800, 4, 3, 8);
    expect(values.filter((value) => value !== 1)).to.have.length(32);
    expect(values[200 + 31]).to.equal(4);
    expect([values[199], values[232]]).to.deep.equal([1, 1]);
  });
});
