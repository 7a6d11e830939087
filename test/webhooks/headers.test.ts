import { expect } from 'chai';
import { validateHeaders } from '../../src/webhooks/dialing/dial.ts';

describe('custom webhook headers', () => {
  const codes = (headers: Record<string, string>) =>
    validateHeaders(headers).map((problem) => problem.code);

  it('may be ordinary headers', () => {
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
    it(`may not be ${name}`, () => {
      expect(codes({ [name]: 'x' })).to.deep.equal(['header_reserved']);
    });
  }
  for (const name of ['', 'a b', 'a:b', 'ü', 'a\r\nb', ':path', 'x'.repeat(129), 'a(b)']) {
    it(`may not have the name ${JSON.stringify(name).slice(0, 20)}`, () => {
      expect(codes({ [name]: 'x' })).to.deep.equal(['header_name_invalid']);
    });
  }
  for (const value of ['a\r\nb: c', 'a\nb', 'a\u0000', 'ü', ' a', 'a ', '\t', 'x'.repeat(4097)]) {
    it(`may not have the value ${JSON.stringify(value).slice(0, 20)}`, () => {
      expect(codes({ 'x-a': value })).to.deep.equal(['header_value_invalid']);
    });
  }
  it('may not repeat a name or exceed the limit', () => {
    expect(codes({ 'X-A': '1', 'x-a': '2' })).to.deep.equal(['header_duplicate']);
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`x-${i}`, '1']));
    expect(codes(many)).to.deep.equal(['headers_too_many']);
  });
  it('are reported with a bounded number of faults', () => {
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`x ${i}`, '1']));
    expect(codes(many)).to.have.length(21);
  });
});
