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
 * Every address that nothing may reach, at every moment at which one could slip in. What counts is
 * not the error but the sockets: `sockets` counts those this process made, whatever became of them,
 * and the receiver, which listens on all addresses of the machine, notes at which one it was dialled.
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

/** Where the receiver may be dialled in the cases that begin well. */
const GOOD = '127.0.0.1';
/** Disguises of it are as good as it is, where it is allowed. */
const withoutGood = forbidden.filter((address) => address !== GOOD && !address.endsWith(':7f00:1'));

describe('webhooks/dial: addresses that nothing may reach', () => {
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
    // All local addresses at once, so that any way to this machine would be seen.
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
      connectTimeoutMs: 5_000,
      lookup,
    });
    dialers.push(dialer);
    return dialer;
  }

  const hooks = (scheme = 'https') => `${scheme}://hooks.example.com:${receiver.port}/`;
  const never: Lookup = () => Promise.reject(new Error('a literal was looked up'));
  const post = (dialer: Dialer, url: string) =>
    dialer.post({ url, headers: {}, body: '{}', deadlineMs: 5_000 });

  async function codeOfCheck(dialer: Dialer, url: string): Promise<string> {
    try {
      await dialer.check(url);
    } catch (error) {
      if (error instanceof DestinationError) return error.code;
      throw error;
    }
    return 'accepted';
  }

  /** What there is to say against a post that had to be refused; null when all is as it should be. */
  async function escapeOfPost(dialer: Dialer, url: string, what: string): Promise<string | null> {
    const before = { sockets, dialled: dialled.length };
    const result = await post(dialer, url);
    const opened = sockets - before.sockets;
    const reached = dialled.slice(before.dialled);
    const refused =
      result.outcome === 'failed' &&
      result.refused &&
      result.error.code === 'destination_not_allowed' &&
      result.timings === undefined;
    if (refused && opened === 0 && reached.length === 0) return null;
    return `${what}: ${JSON.stringify({ result, opened, reached })}`;
  }

  /** The same of the check when it is saved and of the post. */
  async function escapeOf(url: string, lookup: Lookup, what = url): Promise<string | null> {
    const dialer = dialerFor(lookup);
    const code = await codeOfCheck(dialer, url);
    if (code !== 'destination_not_allowed') return `${what}: the check says ${code}`;
    return escapeOfPost(dialer, url, what);
  }

  /** Tries all of them, and names each that got through. */
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

  it('has a table worth its name', () => {
    expect(new Set(forbidden).size).to.equal(forbidden.length).and.to.be.at.least(150);
    expect(new Set(spellings).size).to.equal(spellings.length).and.to.be.at.least(80);
  });

  it('reaches the receiver where the operator allows it, and every counter sees that', async () => {
    const dialer = dialerFor(never, ['127.0.0.0/8']);
    const url = `http://127.0.0.1:${receiver.port}/`;
    expect(await codeOfCheck(dialer, url)).to.equal('accepted');
    expect(await post(dialer, url)).to.include({ outcome: 'answered' });
    expect(dialled.map((address) => address?.replace('::ffff:', ''))).to.deep.equal([GOOD]);
    expect(sockets).to.equal(1);
  });

  for (const scheme of ['https', 'http']) {
    it(`none as a literal, ${scheme}`, () =>
      expectNone(forbidden, (address) =>
        escapeOf(`${scheme}://${hostOf(address)}:${receiver.port}/hook`, never),
      ));
    it(`none as a literal on the port of the scheme, ${scheme}`, () =>
      expectNone(forbidden, (address) => escapeOf(`${scheme}://${hostOf(address)}/`, never)));
    it(`none in any spelling, ${scheme}`, () =>
      expectNone(spellings, (host) => escapeOf(`${scheme}://${host}:${receiver.port}/`, never)));
    it(`none as the answer of DNS, ${scheme}`, () =>
      expectNone(forbidden, (address) => escapeOf(hooks(scheme), async () => [address], address)));
  }

  it('none among good answers of DNS, wherever it stands', () =>
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
      // evil-12-alias.example.com leads to the twelfth address by two aliases, evil-12-mixed to it
      // and to a good one of the other family.
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
      ({ lookup, close } = createLookup({ timeoutMs: 2_000, servers: [server.address] }));
    });
    after(async () => {
      close();
      await server.close();
    });
    for (const kind of ['alone', 'mixed', 'alias']) {
      it(`none ${{ alone: 'alone', mixed: 'beside a good one of the other family', alias: 'behind aliases' }[kind]}`, () =>
        expectNone([...forbidden.keys()], (at) =>
          escapeOf(
            `https://evil-${at}-${kind}.example.com:${receiver.port}/`,
            lookup,
            `${forbidden[at]} ${kind}`,
          ),
        ));
    }
  });

  it('none by redirect: none is followed', async () => {
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

  it('none by an alternative service: none is tried', async () => {
    const dialer = dialerFor(async () => [GOOD], [`${GOOD}/32`]);
    answer = (response) => {
      const services = `h2="127.0.0.2:${receiver.port}"; ma=86400, h3=":${receiver.port}"`;
      response.writeHead(200, { 'alt-svc': services, 'alt-used': '127.0.0.2' }).end();
    };
    for (let i = 0; i < 3; i += 1) await post(dialer, hooks('http'));
    expect({ sockets, reached: dialled.length }).to.deep.equal({ sockets: 1, reached: 1 });
  });

  it('none when the answer has changed since it was saved', () =>
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

  it('none when the answer changes within one attempt: it is asked for once', () =>
    expectNone(withoutGood, async (address) => {
      // A second question would be the hole: the first answer is checked, the second one dialled.
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

  it('none after a first delivery that went well, kept connection or not', () =>
    expectNone(withoutGood, async (address) => {
      let asked = 0;
      const dialer = dialerFor(async () => {
        asked += 1;
        return [asked === 1 ? GOOD : address];
      }, [`${GOOD}/32`]);
      const before = sockets;
      answer = (response) => response.end('ok');
      await post(dialer, hooks('http'));
      // The kept connection leads where it was checked to lead; it says now that it will close.
      answer = (response) => response.setHeader('connection', 'close').end('ok');
      const kept = await post(dialer, hooks('http'));
      const opened = sockets - before;
      if (kept.outcome !== 'answered' || opened !== 1) return `${address}: ${opened} opened`;
      return escapeOfPost(dialer, hooks('http'), address);
    }));

  it('none over a connection of another name', () =>
    expectNone(withoutGood, async (address) => {
      const dialer = dialerFor(
        async (name) => [name === 'good.example.com' ? GOOD : address],
        [`${GOOD}/32`],
      );
      await post(dialer, `http://good.example.com:${receiver.port}/`);
      return escapeOfPost(dialer, `http://evil.example.com:${receiver.port}/`, address);
    }));

  it('no name of a private network, whether it exists or not', () =>
    expectNone(NAMES, async (name) => {
      const url = `https://${name}:${receiver.port}/`;
      const missing: Lookup = async () => {
        throw Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' });
      };
      return (await escapeOf(url, async () => PUBLIC)) ?? (await escapeOf(url, missing));
    }));

  it('no response that is not an address, and no endless responses', async () => {
    await expectNone(
      ['', 'localhost', '127.1', '0x7f000001', 'fe80::1%lo', '::1%1', '/var/run/x.sock'],
      (bad) => escapeOf(hooks(), async () => [bad], bad),
    );
    const many = Array.from({ length: 65 }, () => PUBLIC[0]!);
    expect(await escapeOf(hooks(), async () => many)).to.equal(null);
  });

  it('says the same words for every refused address, and no address in them', async () => {
    const said = new Set<string>();
    for (const address of forbidden) {
      said.add(
        JSON.stringify(
          await post(
            dialerFor(async () => [address]),
            hooks(),
          ),
        ),
      );
    }
    expect(said.size).to.equal(1);
    expect([...said][0]).not.to.match(/\d+\.\d+\.\d+|[0-9a-f]+:[0-9a-f]*:/);
  });
});

function hostOf(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}

/** A dual-stack listener writes IPv4 addresses as mapped ones. */
function bare(address: string | undefined): string | undefined {
  return address?.replace('::ffff:', '');
}
