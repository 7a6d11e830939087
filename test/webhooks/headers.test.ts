import { expect } from 'chai';
import { validateHeaders } from '../../src/webhooks/dialing/dial.ts';

describe('webhooks/destination: custom headers', () => {
  const codes = (headers: Record<string, string>) =>
    validateHeaders(headers).map((problem) => problem.code);

  it('takes ordinary ones', () => {
    const good = {
      authorization: 'Bearer abc',
      'X-Api-Key': 'k=1; v',
      Cookie: 'a=b',
      'x-empty': '',
    };
    expect(validateHeaders(good)).to.deep.equal([]);
  });
  for (const name of [
    'Host',
    'content-length',
    'Transfer-Encoding',
    'Connection',
    'content-type',
    'webhook-id',
    'Webhook-Anything',
    'Expect',
    'upgrade',
    'TE',
    'trailer',
    'keep-alive',
    'Proxy-Authorization',
    'Metadata-Flavor',
    'X-aws-ec2-metadata-token',
    'accept-encoding',
    'user-agent',
  ]) {
    it(`refuses ${name}`, () => {
      expect(codes({ [name]: 'x' })).to.deep.equal(['header_reserved']);
    });
  }
  for (const name of ['', 'a b', 'a:b', 'ü', 'a\r\nb', ':path', 'x'.repeat(129), 'a(b)']) {
    it(`refuses the name ${JSON.stringify(name).slice(0, 20)}`, () => {
      expect(codes({ [name]: 'x' })).to.deep.equal(['header_name_invalid']);
    });
  }
  for (const value of ['a\r\nb: c', 'a\nb', 'a\u0000', 'ü', ' a', 'a ', '\t', 'x'.repeat(4097)]) {
    it(`refuses the value ${JSON.stringify(value).slice(0, 20)}`, () => {
      expect(codes({ 'x-a': value })).to.deep.equal(['header_value_invalid']);
    });
  }
  it('refuses the same name twice and too many', () => {
    expect(codes({ 'X-A': '1', 'x-a': '2' })).to.deep.equal(['header_duplicate']);
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`x-${i}`, '1']));
    expect(codes(many)).to.deep.equal(['headers_too_many']);
  });
  it('says no more of too many than of as many as there may be', () => {
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`x ${i}`, '1']));
    expect(codes(many)).to.have.length(21);
  });
});
