import { Problem } from '@scriptorium/contracts/problems';
import { expect } from 'chai';
import { type Claims, personOf, requireWebPages } from '../../../src/api/portal/sign-in/claims.ts';

const now = Date.UTC(2026, 0, 31);
const claims = (own: Record<string, unknown> = {}): Claims => ({
  iss: 'https://id.example',
  sub: 'u-1',
  iat: now / 1_000,
  name: 'Ada Example',
  ...own,
});
const person = (own: Record<string, unknown>, roleClaim: string | null = null) =>
  personOf({ roleClaim }, claims(own), now);
const codeOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    return error instanceof Problem ? error.code : 'error';
  }
  return 'accepted';
};

describe('the claims of an identity provider', () => {
  for (const [what, own] of [
    ['an empty identifier', { sub: '' }],
    ['an identifier of blanks', { sub: '  ' }],
    ['half of a surrogate pair in the identifier', { sub: 'u-\ud800' }],
    ['U+0000 in the identifier', { sub: 'u-\0' }],
    ['an identifier of 256 characters', { sub: 'u'.repeat(256) }],
    ['a token from tomorrow', { iat: now / 1_000 + 86_400 }],
  ] as const) {
    it(`are rejected with ${what}`, () => {
      expect(codeOf(() => person(own))).to.equal('sign_in_failed');
    });
  }

  it('may come from a clock that is a minute ahead', () => {
    expect(person({ iat: now / 1_000 + 60 }).subject).to.equal('u-1');
  });

  it('give a name without control and direction characters, in one line', () => {
    const name = '\u202eAda\u202c\r\n\u2066Exa\0mple\u2069\u200f\ud800 \u001b[31m';
    expect(person({ name }).name).to.equal('Ada Exa mple  [31m');
    expect(person({ name: '\u202e\u0007', nickname: 'ada' }).name).to.equal('ada');
    // The cut must not leave half of a pair.
    expect(person({ name: `${'a'.repeat(199)}😀` }).name).to.equal('a'.repeat(199));
    expect(person({ name: 'محمد رضا می‌خواهد' }).name).to.equal('محمد رضا می‌خواهد');
  });

  it('give no address or group that cannot be stored', () => {
    expect(person({ email: 'ada\0@example.com' }).email).to.equal(null);
    expect(person({ email: 'ada@example.com' }).email).to.equal('ada@example.com');
    const groups = ['staff', 'a\0', '\udfff', 7];
    expect(person({ groups }, 'groups').groups).to.deep.equal(['staff']);
  });
});

describe('the pages of an identity provider', () => {
  const check = (issuer: string, signIn: string | undefined, signOut?: string): string =>
    codeOf(() =>
      requireWebPages(issuer, { authorization_endpoint: signIn, end_session_endpoint: signOut }),
    );

  it('are web pages, over https unless the provider is on this machine', () => {
    const https = 'https://id.example';
    expect(check(https, `${https}/auth`, `${https}/end`)).to.equal('accepted');
    expect(check('http://127.0.0.1', 'http://127.0.0.1/auth')).to.equal('accepted');
    for (const page of ['javascript:alert(1)', 'data:text/html,x', 'http://id.example/auth', 'x']) {
      expect(check(https, page)).to.equal('sign_in_failed');
      expect(check(https, `${https}/auth`, page)).to.equal('sign_in_failed');
    }
    expect(check(https, undefined)).to.equal('sign_in_failed');
  });
});
