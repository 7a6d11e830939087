import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer as createHttp, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { expect } from 'chai';
import { createDialer, DestinationError, type Dialer } from '../../src/webhooks/dialing/dial.ts';
import { createLookup, type Lookup } from '../../src/webhooks/dialing/resolve.ts';
import { forbidden, spellings } from './forbidden.ts';
import { A, AAAA, type NameServer, startNameServer } from './name-server.ts';
import { listen, type Receiver } from './receivers.ts';

/**
 * Every forbidden address, at every moment at which one could slip in. What counts is not the error
 * but the sockets: `sockets` counts those that this process opened, and the receiver, which listens
 * on all addresses of the machine, records the address at which it was dialled.
 */
const PUBLIC = ['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946'];

/** Names of private networks. */
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

/** Where the receiver may be dialled in the cases that begin with an allowed address. */
const GOOD = '127.0.0.1';
/** Equivalent forms of it are allowed where it is. */
const withoutGood = forbidden.filter((address) => address !== GOOD && !address.endsWith(':7f00:1'));

describe('webhook requests to forbidden addresses', () => {
  let receiver: Receiver;
  /** The addresses at which the receiver was dialled. */
  let dialled: (string | undefined)[] = [];
  let answer: (response: ServerResponse) => void = (response) => response.end('ok');
  let sockets = 0;
  const count = () => {
    sockets += 1;
  };
  const dialers: Dialer[] = [];

  before(async () => {
    const server = () => {
      const made = createHttp((_request, response) => answer(response));
      made.on('connection', (socket: Socket) => dialled.push(socket.localAddress));
      return made;
    };
    // All local addresses at once, to notice any way to this machine.
    receiver = await listen(server(), '::').catch(() => listen(server(), '0.0.0.0'));
    subscribe('net.client.socket', count);
  });
  after(async () => {
    unsubscribe('net.client.socket', count);
    await receiver.close();
  });
  beforeEach(() => {
    sockets = 0;
    dialled = [];
    answer = (response) => response.end('ok');
  });
  afterEach(async () => {
    for (const dialer of dialers.splice(0)) await dialer.close();
  });

  function dialerFor(lookup: Lookup, allowCidrs: string[] = []): Dialer {
    const dialer = createDialer({
      allowCidrs,
      perOriginConnections: 2,
      connectTimeoutMs: 60_000,
      lookup,
    });
    dialers.push(dialer);
    return dialer;
  }

  const hooks = (scheme = 'https') => `${scheme}://hooks.example.com:${receiver.port}/`;
  const never: Lookup = () => Promise.reject(new Error('a literal was looked up'));
  const post = (dialer: Dialer, url: string) =>
    dialer.post({ url, headers: {}, body: '{}', deadlineMs: 60_000 });

  async function codeOfCheck(dialer: Dialer, url: string): Promise<string> {
    try {
      await dialer.check(url);
    } catch (error) {
      if (error instanceof DestinationError) return error.code;
      throw error;
    }
    return 'accepted';
  }

  /** Describes how a post that had to be denied went wrong; null if it did not. */
  async function escapeOfPost(dialer: Dialer, url: string, what: string): Promise<string | null> {
    const before = { sockets, dialled: dialled.length };
    const result = await post(dialer, url);
    const opened = sockets - before.sockets;
    const reached = dialled.slice(before.dialled);
    const denied =
      result.outcome === 'failed' &&
      result.denied &&
      result.error.code === 'destination_not_allowed' &&
      result.timings === undefined;
    if (denied && opened === 0 && reached.length === 0) return null;
    return `${what}: ${JSON.stringify({ result, opened, reached })}`;
  }

  /** The same for the check when the URL is saved, and for the post. */
  async function escapeOf(url: string, lookup: Lookup, what = url): Promise<string | null> {
    const dialer = dialerFor(lookup);
    const code = await codeOfCheck(dialer, url);
    if (code !== 'destination_not_allowed') return `${what}: the check says ${code}`;
    return escapeOfPost(dialer, url, what);
  }

  /** Tries every case and reports those that got through. */
  async function expectNone<T>(
    cases: readonly T[],
    tryIt: (one: T) => Promise<string | null>,
  ): Promise<void> {
    const escapes: string[] = [];
    for (const one of cases) {
      const found = await tryIt(one);
      if (found !== null) escapes.push(found);
    }
    expect(escapes).to.deep.equal([]);
  }

  it('are tested with tables of sufficient size', () => {
    expect(new Set(forbidden).size).to.equal(forbidden.length).and.to.be.at.least(150);
    expect(new Set(spellings).size).to.equal(spellings.length).and.to.be.at.least(80);
  });

  it('reach the receiver if the operator allows it, and every counter notices', async () => {
    const dialer = dialerFor(never, ['127.0.0.0/8']);
    const url = `http://127.0.0.1:${receiver.port}/`;
    expect(await codeOfCheck(dialer, url)).to.equal('accepted');
    expect(await post(dialer, url)).to.include({ outcome: 'answered' });
    expect(dialled.map((address) => address?.replace('::ffff:', ''))).to.deep.equal([GOOD]);
    expect(sockets).to.equal(1);
  });

  for (const scheme of ['https', 'http']) {
    it(`are denied for literals, ${scheme}`, () =>
      expectNone(forbidden, (address) =>
        escapeOf(`${scheme}://${hostOf(address)}:${receiver.port}/hook`, never),
      ));
    it(`are denied for literals on the default port, ${scheme}`, () =>
      expectNone(forbidden, (address) => escapeOf(`${scheme}://${hostOf(address)}/`, never)));
    it(`are denied in every spelling, ${scheme}`, () =>
      expectNone(spellings, (host) => escapeOf(`${scheme}://${host}:${receiver.port}/`, never)));
    it(`are denied for DNS answers, ${scheme}`, () =>
      expectNone(forbidden, (address) => escapeOf(hooks(scheme), async () => [address], address)));
  }

  it('are denied if any DNS answer is forbidden, in any position', () =>
    expectNone(forbidden, async (address) => {
      for (const answers of [
        [...PUBLIC, address],
        [address, ...PUBLIC],
        [PUBLIC[0]!, address, PUBLIC[1]!],
      ]) {
        const found = await escapeOf(hooks(), async () => answers, answers.join(' '));
        if (found !== null) return found;
      }
      return null;
    }));

  describe('through a name server', () => {
    let server: NameServer;
    let lookup: Lookup;
    let close: () => void;
    before(async () => {
      // evil-12-alias.example.com resolves to the twelfth address through two aliases,
      // evil-12-mixed to it and to an allowed address of the other family.
      server = await startNameServer((name, type) => {
        const [, at, kind] = /^evil-(\d+)-(\w+)\.example\.com$/.exec(name) ?? [];
        const address = forbidden[Number(at ?? -1)];
        if (address === undefined) return { code: 3, addresses: [] };
        const own = address.includes(':') ? AAAA : A;
        const good = kind === 'mixed' ? PUBLIC[type === A ? 0 : 1] : undefined;
        return {
          code: 0,
          names: kind === 'alias' ? ['cdn.example.net', 'vault.corp.example.org'] : [],
          addresses: type === own ? [address] : good === undefined ? [] : [good],
        };
      });
      ({ lookup, close } = createLookup({ timeoutMs: 60_000, servers: [server.address] }));
    });
    after(async () => {
      close();
      await server.close();
    });
    for (const [kind, where] of [
      ['alone', 'as the only answer'],
      ['mixed', 'next to an allowed address of the other family'],
      ['alias', 'behind aliases'],
    ]) {
      it(`are denied ${where}`, () =>
        expectNone([...forbidden.keys()], (at) =>
          escapeOf(
            `https://evil-${at}-${kind}.example.com:${receiver.port}/`,
            lookup,
            `${forbidden[at]} ${kind}`,
          ),
        ));
    }
  });

  it('are denied for redirects, which are not followed', async () => {
    const dialer = dialerFor(async () => [GOOD], [`${GOOD}/32`]);
    const statuses = [301, 302, 303, 307, 308];
    let at = 0;
    await expectNone(withoutGood, async (address) => {
      const status = statuses[at++ % statuses.length]!;
      const location = `http://${hostOf(address)}:${receiver.port}/`;
      answer = (response) =>
        response.writeHead(status, { location, refresh: `0;url=${location}` }).end();
      const result = await post(dialer, hooks('http'));
      const asItSaid = result.outcome === 'answered' && result.status === status;
      return asItSaid ? null : `${address}: ${JSON.stringify(result)}`;
    });
    // One connection, to the one allowed address, for all of them.
    expect({ sockets, reached: dialled.length }).to.deep.equal({ sockets: 1, reached: 1 });
  });

  it('are denied for alternative services, which are not tried', async () => {
    const dialer = dialerFor(async () => [GOOD], [`${GOOD}/32`]);
    answer = (response) => {
      const services = `h2="127.0.0.2:${receiver.port}"; ma=86400, h3=":${receiver.port}"`;
      response.writeHead(200, { 'alt-svc': services, 'alt-used': '127.0.0.2' }).end();
    };
    for (let i = 0; i < 3; i += 1) await post(dialer, hooks('http'));
    expect({ sockets, reached: dialled.length }).to.deep.equal({ sockets: 1, reached: 1 });
  });

  it('are denied if the DNS answer changed after the URL was saved', () =>
    expectNone(forbidden, async (address) => {
      let asked = 0;
      const dialer = dialerFor(async () => {
        asked += 1;
        return asked === 1 ? PUBLIC : [address];
      });
      const code = await codeOfCheck(dialer, hooks());
      if (code !== 'accepted') return `${address}: the check says ${code}`;
      return escapeOfPost(dialer, hooks(), address);
    }));

  it('are denied if the DNS answer changes within an attempt: it is resolved once', () =>
    expectNone(withoutGood, async (address) => {
      // A second query would be the hole: the first answer is checked and the second one dialled.
      let asked = 0;
      const dialer = dialerFor(async () => {
        asked += 1;
        return [asked === 1 ? GOOD : address];
      }, [`${GOOD}/32`]);
      const before = sockets;
      await post(dialer, hooks('http'));
      const seen = { asked, sockets: sockets - before, dialled: dialled.splice(0).map(bare) };
      const wanted = { asked: 1, sockets: 1, dialled: [GOOD] };
      return JSON.stringify(seen) === JSON.stringify(wanted)
        ? null
        : `${address}: ${JSON.stringify(seen)}`;
    }));

  it('are denied after a successful delivery, with or without a kept connection', () =>
    expectNone(withoutGood, async (address) => {
      let asked = 0;
      const dialer = dialerFor(async () => {
        asked += 1;
        return [asked === 1 ? GOOD : address];
      }, [`${GOOD}/32`]);
      const before = sockets;
      answer = (response) => response.end('ok');
      await post(dialer, hooks('http'));
      // The kept connection leads to the checked address; the receiver now says that it will close.
      answer = (response) => response.setHeader('connection', 'close').end('ok');
      const kept = await post(dialer, hooks('http'));
      const opened = sockets - before;
      if (kept.outcome !== 'answered' || opened !== 1) return `${address}: ${opened} opened`;
      return escapeOfPost(dialer, hooks('http'), address);
    }));

  it('are denied over a connection of another name', () =>
    expectNone(withoutGood, async (address) => {
      const dialer = dialerFor(
        async (name) => [name === 'good.example.com' ? GOOD : address],
        [`${GOOD}/32`],
      );
      await post(dialer, `http://good.example.com:${receiver.port}/`);
      return escapeOfPost(dialer, `http://evil.example.com:${receiver.port}/`, address);
    }));

  it('are denied for names of private networks, whether they exist or not', () =>
    expectNone(NAMES, async (name) => {
      const url = `https://${name}:${receiver.port}/`;
      const missing: Lookup = async () => {
        throw Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' });
      };
      return (await escapeOf(url, async () => PUBLIC)) ?? (await escapeOf(url, missing));
    }));

  it('are denied for invalid and for endless DNS answers', async () => {
    await expectNone(
      ['', 'localhost', '127.1', '0x7f000001', 'fe80::1%lo', '::1%1', '/var/run/x.sock'],
      (bad) => escapeOf(hooks(), async () => [bad], bad),
    );
    const many = Array.from({ length: 65 }, () => PUBLIC[0]!);
    expect(await escapeOf(hooks(), async () => many)).to.equal(null);
  });

  it('return the same error for every denied address, without the address', async () => {
    const messages = new Set<string>();
    for (const address of forbidden) {
      messages.add(
        JSON.stringify(
          await post(
            dialerFor(async () => [address]),
            hooks(),
          ),
        ),
      );
    }
    expect(messages.size).to.equal(1);
    expect([...messages][0]).not.to.match(/\d+\.\d+\.\d+|[0-9a-f]+:[0-9a-f]*:/);
  });
});

function hostOf(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}

/** A dual-stack listener reports IPv4 addresses in their mapped form. */
function bare(address: string | undefined): string | undefined {
  return address?.replace('::ffff:', '');
}
