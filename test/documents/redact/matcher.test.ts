import {
  createMatcher,
  type DeepMatcher,
  deepMatchers,
  isSoughtEverywhere,
  type SoughtValue,
} from '@scriptorium/documents/redact/matcher';
import { expect } from 'chai';
import fc from 'fast-check';
import { createAutomaton } from '../../../packages/documents/src/redact/matching/aho-corasick.ts';

const person = (value: string): SoughtValue => ({ type: 'PERSON', value });
const number = (value: string): SoughtValue => ({ type: 'US_SSN', value });
function deepMatcher(values: readonly SoughtValue[]): DeepMatcher {
  const [matcher, more] = deepMatchers(values);
  if (!matcher || more) throw new Error('Few enough values to fit one matcher.');
  return matcher;
}
const places = (value: string, text: string): string[] =>
  createMatcher([person(value)])
    .find(text)
    .map(({ start, end }) => text.slice(start, end));

describe('the automaton of the checks', () => {
  it('finds every occurrence of every pattern, as a plain search does', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 60 });
    const patterns = fc.uniqueArray(
      fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 5 }),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(letters, patterns, (text, wanted) => {
        const found: string[] = [];
        createAutomaton(wanted).scan(Buffer.from(text), (pattern, end) => {
          found.push(`${wanted[pattern]}@${end}`);
          return false;
        });
        const expected = wanted.flatMap((pattern) =>
          [...Array(text.length + 1).keys()]
            .filter((end) => text.slice(0, end).endsWith(pattern))
            .map((end) => `${pattern}@${end}`),
        );
        expect(found.sort()).to.deep.equal(expected.sort());
      }),
    );
  });
});

describe('the matcher of values', () => {
  it('ignores case, accents, ligatures, widths and separators', () => {
    expect(places('Jürgen Müller', 'an JU\u0308RGEN  MU\u0308LLER, bitte')).to.deep.equal([
      'JU\u0308RGEN  MU\u0308LLER',
    ]);
    expect(places('Griffin Office', 'Mr Gri\ufb00in O\ufb03ce')).to.have.length(1);
    expect(places('(030) 1234-567', 'call 030/1234567 now')).to.deep.equal(['030/1234567']);
    expect(places('DE89 3704 0044 0532 0130 00', 'x DE89370400440532013000.')).to.have.length(1);
    expect(places('Schwarzenegger', 'Mr Schwarzen-\negger')).to.have.length(1);
    expect(places('Smith', 'S m i t h')).to.have.length(1);
    expect(places('山田太郎', '氏名は山田太郎です')).to.deep.equal(['山田太郎']);
  });

  it('matches whole words and numbers only', () => {
    expect(places('Market', 'Marketing, Supermarket, market')).to.deep.equal([]);
    expect(places('Smith', "Smith's and Smith2 and Mr.Smith")).to.have.length(3);
    expect(places('12345', '7123456 123450 1 2 3 4 5 12 345')).to.deep.equal([]);
    expect(places('12345', 'D-12345 Berlin')).to.deep.equal(['12345']);
    expect(places('Brown', 'a brown fox, Brown, BROWN')).to.deep.equal(['Brown', 'BROWN']);
    expect(places('Charlie Brown', 'charlie brown')).to.have.length(1);
  });

  it('skips short values, which are checked by position', () => {
    expect(isSoughtEverywhere('Mark')).to.equal(false);
    expect(isSoughtEverywhere('A-1-2-3')).to.equal(false);
    expect(isSoughtEverywhere('12345')).to.equal(true);
    expect(places('Mark', 'Mark')).to.deep.equal([]);
  });

  it('finds values with letters in common, each by its own rule', () => {
    const matcher = createMatcher([person('Brown'), person('brown'), person('Grace Hopper')]);
    expect(matcher.find('brown').map(({ value }) => value)).to.deep.equal([1]);
    expect(matcher.find('Grace\nHopper')).to.have.length(1);
  });

  const secret = 'Jane Q. Example';
  const hidden: Record<string, string> = {
    plain: 'by jane q. example!',
    reversed: 'elpmaxE .Q enaJ',
    hex: Buffer.from(secret).toString('hex').toUpperCase(),
    'UTF-16 in hex': Buffer.from(secret, 'utf16le').swap16().toString('hex'),
    'base64, first place': Buffer.from(`${secret} and`).toString('base64'),
    'base64, second place': Buffer.from(`x${secret} and`).toString('base64'),
    'base64, third place': Buffer.from(`xy${secret} and`).toString('base64'),
    'base64, broken into lines': Buffer.from(`xy${secret} and`)
      .toString('base64')
      .replace(/(.{7})/g, '$1\n'),
    percent: encodeURIComponent(secret),
    'all percent': [...secret].map((c) => `%${c.charCodeAt(0).toString(16)}`).join(''),
    'XML references': [...secret].map((c) => `&#${c.charCodeAt(0)};`).join(''),
    'hexadecimal references': [...secret]
      .map((c) => `&#x${c.charCodeAt(0).toString(16)};`)
      .join(''),
    JSON: [...secret].map((c) => `\\u00${c.charCodeAt(0).toString(16)}`).join(''),
  };
  for (const [name, text] of Object.entries(hidden)) {
    it(`finds a value in hidden text: ${name}`, () => {
      const matcher = deepMatcher([number('078-05-1120'), person(secret)]);
      expect(matcher.inHiddenText(`before ${text} after`)?.value).to.equal(secret);
      expect(matcher.inHiddenText('before after')).to.equal(undefined);
    });
  }

  const text = 'Jörg Beispiel';
  const bytes: Record<string, Buffer> = {
    'Latin-1': Buffer.from(text, 'latin1'),
    'Latin-1, capital': Buffer.from(text.toUpperCase(), 'latin1'),
    'UTF-8': Buffer.from(text),
    'UTF-8, capital': Buffer.from(text.toUpperCase()),
    'UTF-16LE': Buffer.from(text, 'utf16le'),
    'UTF-16BE': Buffer.from(text, 'utf16le').swap16(),
    squeezed: Buffer.from('JörgBeispiel'),
    reversed: Buffer.from([...text].reverse().join('')),
    hex: Buffer.from(Buffer.from(text).toString('hex')),
    base64: Buffer.from(Buffer.from(`zz${text}`).toString('base64')),
    percent: Buffer.from(encodeURIComponent(text)),
  };
  for (const [name, content] of Object.entries(bytes)) {
    it(`finds a value in bytes: ${name}`, () => {
      const matcher = deepMatcher([person(text), number('078-05-1120')]);
      const noise = Buffer.from([0xff, 0x12, 0x99]);
      expect(matcher.inBytes(Buffer.concat([noise, content, noise]))?.value).to.equal(text);
      expect(matcher.inBytes(Buffer.concat([noise, noise]))).to.equal(undefined);
    });
  }

  it('finds names beyond Latin-1 in bytes', () => {
    const name = 'Łukasz Żółć';
    const matcher = deepMatcher([person(name)]);
    for (const encoding of ['utf8', 'utf16le'] as const) {
      expect(matcher.inBytes(Buffer.from(`..${name}..`, encoding))?.value).to.equal(name);
    }
    expect(matcher.inBytes(Buffer.from(name, 'utf16le').swap16())?.value).to.equal(name);
  });

  it('finds a value in bytes wherever their parts end, and only whole words', () => {
    const matcher = deepMatcher([person('Hildegard Sommer')]);
    const part = 4 * 1024 * 1024;
    for (const at of [part - 8, part]) {
      const bytes = Buffer.alloc(2 * part + 100, '.');
      bytes.write('Hildegard Sommer', at);
      expect(matcher.inBytes(bytes)?.value, String(at)).to.equal('Hildegard Sommer');
      bytes.write('xHildegard Sommerx', at - 1);
      expect(matcher.inBytes(bytes), String(at)).to.equal(undefined);
      const wide = Buffer.alloc(part + 100, 0);
      wide.write('Hildegard Sommer', at - 16, 'utf16le');
      expect(matcher.inBytes(wide)?.value, String(at)).to.equal('Hildegard Sommer');
    }
  });

  it('raises no alarm for chance matches or for the vocabulary of files', () => {
    const matcher = deepMatcher([
      person('Georgia'),
      { type: 'ORGANIZATION', value: 'Adobe Systems, Inc.' },
      number('12345'),
      number('12345.678'),
      number('1234567'),
    ]);
    expect(matcher.inHiddenText('ABCDEF+Georgia-Bold')).to.equal(undefined);
    expect(matcher.inBytes(Buffer.from('(c) Adobe Systems, Inc.'))).to.equal(undefined);
    expect(matcher.inBytes(Buffer.from('12345 0 obj 12345.678 re 1234567'))).to.equal(undefined);
    expect(matcher.inText('He lives in Georgia.')?.value).to.equal('Georgia');
  });

  it('limits the number of values per matcher and omits none', () => {
    const values = Array.from({ length: 2001 }, (_, at) => person(`Nr${1000 + at}`));
    const wanted = [values[0]!, values[2000]!].map(({ value }) => value);
    const text = Buffer.from(wanted.join(', ')).toString('hex');
    const found = Array.from(deepMatchers(values), (matcher) => matcher.inHiddenText(text)?.value);
    expect(found).to.have.length(2);
    expect(found).to.have.members(wanted);
    expect([...deepMatchers([])]).to.have.length(1);
  });

  it('takes time linear in the text, whatever the values have in common', () => {
    const values = Array.from({ length: 2000 }, (_, index) =>
      person(`https://example.com/aaaaaaaaaaaaaaaaaaaa/${index}`),
    );
    const matcher = createMatcher(values);
    const pages = 'https://example.com/aaaaaaaaaaaaaaaaaaaa/x '.repeat(20_000);
    expect(matcher.find(pages)).to.deep.equal([]);
  });
});
