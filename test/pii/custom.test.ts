import { checkPattern, createDetector } from '@scriptorium/pii';
import { maxMatchLength, windowLength } from '@scriptorium/pii/recognisers/custom';
import { expect } from 'chai';
import { everything, told } from './find.ts';

const detectorOf = (pattern: string, case_sensitive = false) =>
  createDetector({
    ...everything,
    entities: [],
    customPatterns: [{ name: 'OWN', pattern, case_sensitive }],
  });

describe('custom patterns', () => {
  it('are found under their name', () => {
    const text = 'see PRJ-1234 and prj-99, PRJ-5678';
    expect(told(text, detectorOf('PRJ-\\d{4}')(text))).to.deep.equal([
      'CUSTOM_OWN PRJ-1234',
      'CUSTOM_OWN PRJ-5678',
    ]);
  });

  it('take nothing from other findings', () => {
    const text = 'SSN 536-22-8765, mail jane.roe@example.com, card 4111 1111 1111 1111 today';
    const gone = (custom: string[]): string =>
      createDetector({
        ...everything,
        customPatterns: custom.map((pattern, at) => ({
          name: `P${at}`,
          pattern,
          case_sensitive: false,
        })),
      })(text).reduce(
        (rest, { start, end }) => rest.slice(0, start) + '_'.repeat(end - start) + rest.slice(end),
        text,
      );
    const usual = gone([]);
    for (const value of ['536', '8765', 'jane', 'example', '1111']) {
      expect(usual, value).not.to.contain(value);
    }
    for (const patterns of [
      ['-'],
      ['@'],
      ['\\d{2}'],
      [' '],
      ['[aeiou]'],
      ['[ -]\\d', 'e.'],
      ['ohn Ca'],
    ]) {
      const left = gone(patterns);
      [...usual].forEach((letter, at) => {
        if (letter !== '_' || !/[\p{L}\p{N}]/u.test(text[at]!)) return;
        expect(left[at], `${patterns} leaves "${text[at]}" at ${at} of ${left}`).to.equal('_');
      });
    }
  });

  it('match in recognised text with stray spaces in numbers and addresses', () => {
    const read = (pattern: string, text: string): string[] =>
      told(text, detectorOf(pattern)(text, { recognised: true }));
    const iban = 'to DE435576161443 91717651 by 12 May';
    expect(read('DE\\d{20}\\b', iban)).to.deep.equal(['CUSTOM_OWN DE435576161443 91717651']);
    expect(detectorOf('DE\\d{20}\\b')(iban)).to.deep.equal([]);
    const mails = 'ann.lee96 @example.net, bob @ example.org or carl@example.com';
    expect(read('[a-z0-9.]+@example\\.[a-z]+', mails)).to.deep.equal([
      'CUSTOM_OWN ann.lee96 @example.net',
      'CUSTOM_OWN bob @ example.org',
      'CUSTOM_OWN carl@example.com',
    ]);
    expect(read('4858-3088-8141-4785', 'card 4858-3088-81 41-4785 and')).to.have.length(1);
    expect(read('4858-3088-8141-4785', 'card 4858 -3088- 8141-4785 and')).to.have.length(1);
    // Words stay words, and so do the lines of a table.
    expect(read('onetwo|\\d{6}', 'one two 123\n456\t123 12a 3456')).to.deep.equal([]);
    expect(read('\\d{4} \\d{4}', 'no 1234 5678')).to.deep.equal(['CUSTOM_OWN 1234 5678']);
  });

  it('respect case if requested', () => {
    expect(detectorOf('acme')('ACME acme')).to.have.length(2);
    expect(detectorOf('acme', true)('ACME acme')).to.have.length(1);
  });

  it('win over findings inside them', () => {
    const detect = createDetector({
      ...everything,
      customPatterns: [{ name: 'LINE', pattern: 'ref .*', case_sensitive: false }],
    });
    const text = 'ref ann@example.com x';
    expect(told(text, detect(text))).to.deep.equal([`CUSTOM_LINE ${text}`]);
  });

  it('are found once wherever they occur in a long text', () => {
    const detect = detectorOf('<x{1,900}>');
    for (const length of [1, 10, 900]) {
      for (let offset = 0; offset < 3 * windowLength; offset += 97) {
        const value = `<${'x'.repeat(length)}>`;
        const text = `${'y '.repeat(offset / 2)}${value}${' z'.repeat(2500)}`;
        const findings = detect(text);
        expect(
          findings.map(({ start, end }) => text.slice(start, end)),
          `${offset}`,
        ).to.deep.equal([value]);
      }
    }
    expect(maxMatchLength).to.be.at.least(902);
  });

  it('are rejected with a reason if they are invalid', () => {
    expect(checkPattern('PRJ-\\d{4}')).to.equal(null);
    expect(checkPattern('(?i)(foo|bar)[a-z]{1,20}')).to.equal(null);
    for (const [pattern, reason] of [
      ['(', /missing closing/],
      ['a**', /repetition/],
      ['(?<=a)b', /RE2/],
      ['(a)\\1', /escape/],
      ['[z-a]', /range/],
      ['x*', /empty text/],
      ['', /empty text/],
      ['^$', /empty text/],
      ['a'.repeat(501), /longer than 500/],
      ['[a-z]{1,1000}', /too large/],
      ['((a{1,30}){1,30}){1,30}', /too large|RE2/],
    ] as const) {
      expect(checkPattern(pattern), pattern).to.match(reason);
    }
  });

  it('need no more memory than a window, whatever they match', () => {
    const text = 'a'.repeat(20_000);
    for (const { start, end } of detectorOf('(?s)a.*')(text)) {
      expect(end - start).to.be.at.most(windowLength);
    }
  });
});
