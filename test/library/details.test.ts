import { expect } from 'chai';
import { checkMetadata, cleanTags, mergePatch } from '../../src/library/details.ts';
import { parseTagFilter } from '../../src/library/tag-filter.ts';

describe('tags and metadata', () => {
  it('keep tags in NFKC, trimmed, without duplicates and in order', () => {
    const { tags, faults } = cleanTags([' b ', 'ﬁ', 'a', 'fi', 'b', 'e\u0301', 'Ｂ']);
    expect([tags, faults]).to.deep.equal([['b', 'fi', 'a', 'é', 'B'], []]);
  });

  it('count characters of tags after NFKC, not code units', () => {
    expect(cleanTags(['😀'.repeat(100)]).faults).to.deep.equal([]);
    for (const [tag, code] of [
      ['', 'too_short'],
      ['\u00a0', 'too_short'],
      ['x'.repeat(101), 'too_long'],
      ['ﬁ'.repeat(51), 'too_long'],
      ['a\nb', 'control_character'],
    ] as const) {
      const { faults } = cleanTags(['ok', tag]);
      expect(faults.map((fault) => [fault.pointer, fault.code])).to.deep.equal([['/tags/1', code]]);
    }
  });

  it('limit the bytes, members and names of metadata', () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 1]));
    expect(checkMetadata({ a: 'x'.repeat(16 * 1024 - 8) })).to.deep.equal([]);
    expect(checkMetadata(many(100))).to.deep.equal([]);
    for (const [metadata, code] of [
      [{ a: 'x'.repeat(16 * 1024 - 7) }, 'too_large'],
      [{ a: 'ä'.repeat(8 * 1024) }, 'too_large'],
      [many(101), 'too_many'],
      [{ ['k'.repeat(101)]: 1 }, 'name_too_long'],
    ] as const) {
      expect(checkMetadata(metadata).map((fault) => fault.code)).to.deep.equal([code]);
    }
  });

  // RFC 7396, appendix A, where target and patch are objects.
  for (const [target, patch, result] of [
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ] as const) {
    it(`merge ${JSON.stringify(patch)} into ${JSON.stringify(target)}`, () => {
      expect(mergePatch(target, patch)).to.deep.equal(result);
    });
  }

  it('merge special names such as __proto__ as plain names', () => {
    const merged = mergePatch({}, JSON.parse('{"__proto__":{"polluted":true},"constructor":1}'));
    expect(Object.keys(merged)).to.deep.equal(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>).polluted).to.equal(undefined);
  });
});

describe('tag filters', () => {
  for (const [text, not, anyOf] of [
    ['a', false, ['a']],
    ['-a', true, ['a']],
    ['a,b', false, ['a', 'b']],
    ['-a,-b', true, ['a', '-b']],
    ['\\-a', false, ['-a']],
    ['a\\,b,c', false, ['a,b', 'c']],
    ['a\\\\,b', false, ['a\\', 'b']],
    ['a\\b', false, ['a\\b']],
    ['a\\', false, ['a\\']],
    [' Ａ ', false, ['A']],
  ] as const) {
    it(`parse ${text}`, () => {
      expect(parseTagFilter(text)).to.deep.equal({ not, anyOf });
    });
  }
  for (const text of ['', '-', ',', 'a,', '-,a', ' ']) {
    it(`reject ${JSON.stringify(text)}`, () => {
      expect(parseTagFilter(text)).to.equal(null);
    });
  }
});
