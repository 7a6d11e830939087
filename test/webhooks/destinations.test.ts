import { expect } from 'chai';
import { parseDestination } from '../../src/webhooks/dialing/destination.ts';
import { createDialer, DestinationError } from '../../src/webhooks/dialing/dial.ts';

const PUBLIC = ['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946'];

async function codeOf(run: Promise<unknown>): Promise<string> {
  try {
    await run;
  } catch (error) {
    if (error instanceof DestinationError) return error.code;
    throw error;
  }
  return 'accepted';
}

function dialerFor(lookup: (name: string) => Promise<string[]>, allowCidrs: string[] = []) {
  return createDialer({ allowCidrs, perOriginConnections: 1, connectTimeoutMs: 60_000, lookup });
}

describe('webhook destinations', () => {
  describe('by URL', () => {
    const dialer = dialerFor(async () => PUBLIC);
    after(() => dialer.close());
    const cases: [string, string][] = [
      ['https://example.com/hooks?a=b', 'accepted'],
      ['HTTPS://EXAMPLE.COM/', 'accepted'],
      ['https://example.com.', 'accepted'],
      ['https://bücher.example.org/', 'accepted'],
      ['https://example.com:8443/', 'accepted'],
      [`https://${PUBLIC[0]}/`, 'accepted'],
      [`https://[${PUBLIC[1]}]/`, 'accepted'],
      ['http://example.com/', 'url_scheme_not_allowed'],
      ['ftp://example.com/', 'url_scheme_not_allowed'],
      ['file:///etc/passwd', 'url_scheme_not_allowed'],
      ['gopher://example.com/', 'url_scheme_not_allowed'],
      ['javascript:alert(1)', 'url_scheme_not_allowed'],
      ['https://user@example.com/', 'url_userinfo_not_allowed'],
      ['https://:pw@example.com/', 'url_userinfo_not_allowed'],
      ['https://example.com@127.0.0.1/', 'url_userinfo_not_allowed'],
      ['https://127.0.0.1%2f@example.com/', 'url_userinfo_not_allowed'],
      // Where URL parsers disagree, the parser that dials also checks.
      ['https://127.0.0.1\\@example.com/', 'url_userinfo_not_allowed'],
      ['https://127.0.0.1#@example.com/', 'destination_not_allowed'],
      ['https://127.0.0.1?@example.com/', 'destination_not_allowed'],
      ['https://example.com#@127.0.0.1/', 'accepted'],
      ['https://@example.com/', 'url_userinfo_not_allowed'],
      ['https://example.com:0/', 'url_port_not_allowed'],
      ['https://example.com:22/', 'url_port_not_allowed'],
      ['https://example.com:80/', 'url_port_not_allowed'],
      ['https://example.com:6379/', 'url_port_not_allowed'],
      ['https://example.com:5432/', 'url_port_not_allowed'],
      ['https://example.com:99999/', 'url_invalid'],
      ['', 'url_invalid'],
      ['example.com', 'url_invalid'],
      ['//example.com/', 'url_invalid'],
      ['https:example.com', 'url_invalid'],
      ['https:///example.com', 'url_invalid'],
      ['https:\\\\example.com', 'url_invalid'],
      ['https://', 'url_invalid'],
      ['https://exa mple.com/', 'url_invalid'],
      ['https://example.com/\r\nHost: x', 'url_invalid'],
      ['https://example..com../', 'url_invalid'],
      ['https://[fe80::1%25eth0]/', 'url_invalid'],
      [`https://example.com/${'x'.repeat(2048)}`, 'url_invalid'],
    ];
    for (const [url, code] of cases) {
      it(`return ${code} for ${JSON.stringify(url).slice(0, 60)}`, async () => {
        expect(await codeOf(dialer.check(url))).to.equal(code);
        if (code !== 'accepted') {
          const result = await dialer.post({ url, headers: {}, body: '', deadlineMs: 60_000 });
          expect(result).to.deep.include({ outcome: 'failed', denied: true });
        }
      });
    }
    it('parse a name with non-ASCII letters any number of times', () => {
      for (let i = 0; i < 20_000; i += 1) {
        expect(parseDestination('https://bücher.example.org/').host).to.equal(
          'xn--bcher-kva.example.org',
        );
      }
    });
    it('distinguish a missing name from an unresponsive name server', async () => {
      for (const [code, expected] of [
        ['ENOTFOUND', 'dns_not_found'],
        ['ENODATA', 'dns_not_found'],
        ['ESERVFAIL', 'dns_failed'],
        ['ETIMEOUT', 'dns_failed'],
      ]) {
        const failing = dialerFor(() => Promise.reject(Object.assign(new Error('x'), { code })));
        const url = 'https://hooks.example.com/';
        expect(await codeOf(failing.check(url))).to.equal(expected);
        const result = await failing.post({ url, headers: {}, body: '', deadlineMs: 60_000 });
        expect(result).to.deep.include({ outcome: 'failed', denied: false });
        expect(result.outcome === 'failed' && result.error.code).to.equal(expected);
        await failing.close();
      }
    });
  });

  describe('in a range that the operator allows', () => {
    const dialer = dialerFor(
      async (name) => (name === 'receiver' ? ['127.0.0.1'] : ['127.0.0.1', ...PUBLIC]),
      ['127.0.0.0/8'],
    );
    after(() => dialer.close());
    const cases: [string, string][] = [
      ['http://127.0.0.1:80/', 'accepted'],
      ['http://127.0.0.1:6379/', 'accepted'],
      ['http://receiver:9000/', 'accepted'],
      ['http://localhost:9000/', 'accepted'],
      ['http://[::ffff:127.0.0.1]:9000/', 'accepted'],
      ['http://[::1]:9000/', 'destination_not_allowed'],
      ['http://10.0.0.1/', 'destination_not_allowed'],
      ['http://mixed.example.com/', 'url_scheme_not_allowed'],
      ['https://mixed.example.com/', 'accepted'],
      ['https://mixed.example.com:22/', 'url_port_not_allowed'],
      ['https://mixed.internal/', 'destination_not_allowed'],
    ];
    for (const [url, code] of cases) {
      it(`return ${code} for ${url}`, async () => {
        expect(await codeOf(dialer.check(url))).to.equal(code);
      });
    }
  });
});
