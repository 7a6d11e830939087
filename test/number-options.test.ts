import { expect } from 'chai';
import {
  integerFromEnv,
  numberFromEnv,
  OptionError,
  readInteger,
  readNumber,
} from '../lab/number-options.ts';

describe('options of the lab', () => {
  const name = 'NUMBER_OPTION';
  afterEach(() => {
    delete process.env[name];
  });

  it('are numbers within their bounds', () => {
    expect(readInteger('--files', '20')).to.equal(20);
    expect(readInteger('--seed', '0', 0)).to.equal(0);
    expect(readNumber('--hours', '0.5')).to.equal(0.5);
  });

  for (const text of ['abc', '', ' ', '0', '-1', '1.5', 'Infinity', '1e17']) {
    it(`reject '${text}' as a count`, () => {
      expect(() => readInteger('--files', text)).to.throw(
        OptionError,
        `--files must be a positive whole number, not '${text}'.`,
      );
    });
  }

  it('reject anything but numbers of at least 0', () => {
    for (const text of ['abc', '', '-1', 'NaN', 'Infinity']) {
      expect(() => readNumber('--hours', text)).to.throw(
        OptionError,
        `--hours must be a number of at least 0, not '${text}'.`,
      );
    }
    expect(() => readInteger('--seed', '-1', 0)).to.throw('a whole number of at least 0');
  });

  it('are read from the environment, or have a default', () => {
    expect([integerFromEnv(name, 5), numberFromEnv(name, 0.5)]).to.deep.equal([5, 0.5]);
    process.env[name] = '3';
    expect([integerFromEnv(name, 5), numberFromEnv(name, 0.5)]).to.deep.equal([3, 3]);
    process.env[name] = 'many';
    expect(() => integerFromEnv(name, 5)).to.throw(`${name} must be`);
    expect(() => numberFromEnv(name, 0.5)).to.throw(`${name} must be`);
  });
});
