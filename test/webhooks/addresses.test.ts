import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer } from 'node:net';
import { expect } from 'chai';
import fc from 'fast-check';
import { AddressRangeError, createAddressPolicy } from '../../src/webhooks/dialing/address.ts';
import { createDialer, DestinationError } from '../../src/webhooks/dialing/dial.ts';
import { listen, type Receiver } from './receivers.ts';

const PUBLIC = ['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946'];

/** Addresses that no webhook may reach: at least one of each special range. */
const REFUSED = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.127.255.254',
  '100.100.100.200',
  '127.0.0.1',
  '127.0.0.2',
  '127.255.255.254',
  '168.63.129.16',
  '169.254.0.1',
  '169.254.169.254',
  '169.254.170.2',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.0.192',
  '192.0.2.1',
  '192.31.196.1',
  '192.52.193.1',
  '192.88.99.1',
  '192.168.0.1',
  '192.168.255.255',
  '192.175.48.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1',
  '::a00:1',
  '::5db8:d822',
  '::ffff:7f00:1',
  '::ffff:a00:1',
  '::ffff:a9fe:a9fe',
  '::ffff:0:7f00:1',
  '64:ff9b::7f00:1',
  '64:ff9b::5db8:d822',
  '64:ff9b:1::1',
  '100::1',
  '100:0:0:1::1',
  '2001::1',
  '2001:0:4136:e378:8000:63bf:80ff:fffe',
  '2001:2::1',
  '2001:3::1',
  '2001:4:112::1',
  '2001:10::1',
  '2001:20::1',
  '2001:30::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '2002:5db8:d822::',
  '2620:4f:8000::1',
  '2606:4700::5efe:a00:1',
  '3fff::1',
  '4000::1',
  '5f00::1',
  'fc00::1',
  'fd00:ec2::254',
  'fd20:ce::254',
  'fdff::1',
  'fe80::1',
  'febf::1',
  'fec0::1',
  'feff::1',
  'ff02::1',
  'ff0e::1',
];

/** The same, as somebody would write them into a URL to get past a check. */
const SPELLINGS = [
  '2130706433',
  '0x7f.1',
  '0x7f000001',
  '017700000001',
  '0177.0.0.1',
  '127.1',
  '127.0.1',
  '127.0.0.1.',
  '１２７.0.0.1',
  '①②⑦.⓪.⓪.①',
  '[::ffff:127.0.0.1]',
  '[::127.0.0.1]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[::ffff:169.254.169.254]',
  '2852039166',
  '0xa9fea9fe',
  '169.254.169.254.',
  '%31%32%37.0.0.1',
  '0',
  '0.0.0.0.',
];

const NAMES = [
  'localhost',
  'localhost.',
  'LOCALHOST',
  'a.localhost',
  'printer.local',
  'vault.internal',
  'metadata.google.internal',
  'router.lan',
  'router.home.arpa',
  'intranet',
  'db',
  'x.corp',
  'x.onion',
  '1.0.0.127.in-addr.arpa',
];

async function codeOf(run: Promise<unknown>): Promise<string> {
  try {
    await run;
  } catch (error) {
    if (error instanceof DestinationError) return error.code;
    throw error;
  }
  return 'accepted';
}

function hostOf(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}

describe('webhooks/address', () => {
  describe('the judge', () => {
    const policy = createAddressPolicy({ allowCidrs: [] });
    it('has a table worth its name', () => {
      expect(new Set(REFUSED).size).to.equal(REFUSED.length).and.to.be.at.least(60);
    });
    for (const address of REFUSED) {
      it(`refuses ${address}`, () => {
        expect(policy.judge(address)).to.equal('refused');
      });
    }
    for (const address of [
      ...PUBLIC,
      '8.8.8.8',
      '1.1.1.1',
      '::ffff:5db8:d822',
      '2a00:1450::1',
      '100.63.255.255',
      '172.32.0.1',
      '168.63.129.17',
    ]) {
      it(`lets ${address} pass`, () => {
        expect(policy.judge(address)).to.equal('public');
      });
    }
    for (const text of [
      '',
      'example.com',
      '127.1',
      '0x7f000001',
      '1.2.3',
      '1.2.3.4.5',
      '08.8.8.8',
      '[::1]',
      'fe80::1%eth0',
      '2606:4700::1%1',
      ' 8.8.8.8',
      '8.8.8.8/32',
      'undefined',
    ]) {
      it(`refuses what is no address: ${JSON.stringify(text)}`, () => {
        expect(policy.judge(text)).to.equal('refused');
      });
    }
    it('judges an IPv4 address the same in its mapped form', () => {
      fc.assert(
        fc.property(fc.ipV4(), (address) => {
          expect(policy.judge(`::ffff:${address}`)).to.equal(policy.judge(address));
        }),
      );
    });
    it('lets no IPv6 address outside 2000::/3 pass', () => {
      fc.assert(
        fc.property(fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 }), (words) => {
          const address = words.map((word) => word.toString(16)).join(':');
          if (((words[0] ?? 0) & 0xe000) !== 0x2000) {
            expect(policy.judge(address)).to.equal('refused');
          }
        }),
      );
    });
  });

  describe('ranges of the operator', () => {
    const policy = createAddressPolicy({
      allowCidrs: [
        '127.0.0.0/8',
        '100.64.0.0/10',
        '64:ff9b::/96',
        'fc00::/7',
        '10.1.2.3',
        '169.254.0.0/16',
      ],
      denyCidrs: ['93.184.216.0/24'],
    });
    const cases: [string, string][] = [
      ['127.0.0.1', 'allowed'],
      ['::ffff:127.0.0.1', 'allowed'],
      ['::127.0.0.1', 'refused'],
      ['::1', 'refused'],
      ['10.1.2.3', 'allowed'],
      ['10.1.2.4', 'refused'],
      ['100.64.0.1', 'allowed'],
      ['fd12::1', 'allowed'],
      ['64:ff9b::8.8.8.8', 'allowed'],
      ['64:ff9b::10.0.0.1', 'refused'],
      ['64:ff9b::169.254.169.254', 'refused'],
      ['93.184.216.34', 'refused'],
      ['::ffff:93.184.216.34', 'refused'],
      // The machine's credentials stay out of reach however wide the range.
      ['100.100.100.200', 'refused'],
      ['169.254.169.254', 'refused'],
      ['::ffff:169.254.169.254', 'refused'],
      ['fd00:ec2::254', 'refused'],
      ['169.254.1.1', 'allowed'],
    ];
    for (const [address, verdict] of cases) {
      it(`${address} is ${verdict}`, () => {
        expect(policy.judge(address)).to.equal(verdict);
      });
    }
    for (const bad of [
      '',
      'localhost',
      '10.0.0.0/33',
      '10.0.0.0/-1',
      '10.0.0.0/',
      '10.0.0.0/a',
      'fe80::1%1/64',
      '::/129',
      '10.0.0/8',
      '0.0.0.0/0',
      '::/0',
    ]) {
      it(`does not take ${JSON.stringify(bad)} for a range`, () => {
        expect(() => createAddressPolicy({ allowCidrs: [bad] })).to.throw(AddressRangeError);
      });
    }
  });
});

describe('webhooks/dial: addresses that nothing may reach', () => {
  let receiver: Receiver;
  let sockets = 0;
  const count = () => {
    sockets += 1;
  };

  before(async () => {
    // All local addresses at once, so that any way to this machine would be seen.
    receiver = await listen(
      createServer((socket) => socket.end()),
      '::',
    ).catch(() =>
      listen(
        createServer((socket) => socket.end()),
        '0.0.0.0',
      ),
    );
    subscribe('net.client.socket', count);
  });
  after(async () => {
    unsubscribe('net.client.socket', count);
    await receiver.close();
  });
  beforeEach(() => {
    sockets = 0;
  });

  function dialerFor(lookup: (name: string) => Promise<string[]>, allowCidrs: string[] = []) {
    return createDialer({
      allowCidrs,
      perOriginConnections: 2,
      connectTimeoutMs: 5_000,
      lookup,
    });
  }

  /** Neither the check nor the post may let it pass, and no socket may even be made. */
  async function expectRefused(url: string, lookup: (name: string) => Promise<string[]>) {
    const dialer = dialerFor(lookup);
    try {
      expect(await codeOf(dialer.check(url)), `check of ${url}`).to.equal(
        'destination_not_allowed',
      );
      await expectPostRefused(dialer, url);
    } finally {
      await dialer.close();
    }
  }

  async function expectPostRefused(dialer: ReturnType<typeof createDialer>, url: string) {
    const before = { sockets, connections: receiver.connections() };
    const result = await dialer.post({ url, headers: {}, body: '{}', deadlineMs: 5_000 });
    expect(result, `post to ${url}`).to.deep.include({ outcome: 'failed', refused: true });
    expect(result).not.to.have.property('timings');
    expect(result.outcome === 'failed' && result.error.code, url).to.equal(
      'destination_not_allowed',
    );
    expect({ sockets, connections: receiver.connections() }).to.deep.equal(before);
  }

  const never = (): Promise<string[]> => Promise.reject(new Error('a literal was looked up'));

  it('reaches the listener where the operator allows it, and both counters see that', async () => {
    const dialer = dialerFor(never, ['127.0.0.0/8']);
    const before = receiver.connections();
    const url = `http://127.0.0.1:${receiver.port}/`;
    await dialer.check(url);
    await dialer.post({ url, headers: {}, body: '{}', deadlineMs: 5_000 });
    expect(receiver.connections()).to.equal(before + 1);
    expect(sockets).to.equal(1);
    await dialer.close();
  });

  for (const scheme of ['https', 'http']) {
    it(`refuses every address of the table as a literal, ${scheme}`, async () => {
      for (const address of REFUSED) {
        await expectRefused(`${scheme}://${hostOf(address)}:${receiver.port}/hook`, never);
      }
    });
    it(`refuses every spelling, ${scheme}`, async () => {
      for (const host of SPELLINGS) {
        await expectRefused(`${scheme}://${host}:${receiver.port}/hook`, never);
      }
    });
  }

  it('refuses every address of the table as the answer of DNS', async () => {
    for (const address of REFUSED) {
      await expectRefused(`https://hooks.example.com:${receiver.port}/`, async () => [address]);
    }
  });

  it('refuses when one answer among good ones is bad, wherever it stands', async () => {
    for (const address of REFUSED) {
      await expectRefused('https://hooks.example.com:8443/', async () => [...PUBLIC, address]);
      await expectRefused('https://hooks.example.com:8443/', async () => [address, ...PUBLIC]);
    }
  });

  it('refuses when the answer has changed since the check (rebinding)', async () => {
    for (const address of REFUSED) {
      let asked = 0;
      const dialer = dialerFor(async () => {
        asked += 1;
        return asked === 1 ? PUBLIC : [address];
      });
      const url = `https://hooks.example.com:${receiver.port}/`;
      expect(await codeOf(dialer.check(url))).to.equal('accepted');
      await expectPostRefused(dialer, url);
      expect(asked).to.equal(2);
      await dialer.close();
    }
  });

  it('asks DNS once for each connection and dials what it said then', async () => {
    // A second question would be the hole: the first answer is checked, the second one dialled.
    let asked = 0;
    const dialer = dialerFor(async () => {
      asked += 1;
      return [asked === 1 ? '127.0.0.1' : '127.0.0.99'];
    }, ['127.0.0.1/32']);
    const before = receiver.connections();
    const result = await dialer.post({
      url: `http://hooks.example.com:${receiver.port}/`,
      headers: {},
      body: '{}',
      deadlineMs: 5_000,
    });
    expect(result).to.deep.include({ outcome: 'failed', refused: false });
    expect(asked).to.equal(1);
    expect(receiver.connections()).to.equal(before + 1);
    await dialer.close();
  });

  it('refuses names of private networks, whether they exist or not', async () => {
    for (const name of NAMES) {
      await expectRefused(`https://${name}:${receiver.port}/`, async () => PUBLIC);
      await expectRefused(`https://${name}:${receiver.port}/`, async () => {
        throw Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' });
      });
    }
  });

  it('refuses answers that are no addresses, and answers without end', async () => {
    const url = 'https://hooks.example.com/';
    for (const bad of ['', 'localhost', '127.1', 'fe80::1%lo', '0x7f000001', '/var/run/x.sock']) {
      await expectRefused(url, async () => [bad]);
    }
    await expectRefused(url, async () => Array.from({ length: 65 }, () => PUBLIC[0] ?? ''));
  });

  it('gives the same words for every refused address', async () => {
    const messages = new Set<string>();
    for (const address of ['10.0.0.1', '127.0.0.1', '169.254.169.254', 'fd00::1']) {
      const dialer = dialerFor(async () => [address]);
      const url = 'https://hooks.example.com/';
      const result = await dialer.post({ url, headers: {}, body: '', deadlineMs: 5_000 });
      messages.add(JSON.stringify(result));
      await dialer.close();
    }
    expect(messages.size).to.equal(1);
    expect([...messages][0]).not.to.match(/\d+\.\d+\.\d+|fd00/);
  });

  describe('URLs', () => {
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
      it(`${JSON.stringify(url).slice(0, 60)} is ${code}`, async () => {
        expect(await codeOf(dialer.check(url))).to.equal(code);
        if (code !== 'accepted') {
          const result = await dialer.post({ url, headers: {}, body: '', deadlineMs: 5_000 });
          expect(result).to.deep.include({ outcome: 'failed', refused: true });
          expect(sockets).to.equal(0);
        }
      });
    }
    it('tells a missing name from name servers that do not answer', async () => {
      for (const [code, expected] of [
        ['ENOTFOUND', 'dns_not_found'],
        ['ENODATA', 'dns_not_found'],
        ['ESERVFAIL', 'dns_failed'],
        ['ETIMEOUT', 'dns_failed'],
      ]) {
        const failing = dialerFor(() => Promise.reject(Object.assign(new Error('x'), { code })));
        const url = 'https://hooks.example.com/';
        expect(await codeOf(failing.check(url))).to.equal(expected);
        const result = await failing.post({ url, headers: {}, body: '', deadlineMs: 5_000 });
        expect(result).to.deep.include({ outcome: 'failed', refused: false });
        expect(result.outcome === 'failed' && result.error.code).to.equal(expected);
        await failing.close();
      }
    });
  });

  describe('inside a range the operator opened', () => {
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
      it(`${url} is ${code}`, async () => {
        expect(await codeOf(dialer.check(url))).to.equal(code);
      });
    }
  });
});
