import { expect } from 'chai';
import { createLookup, type Lookup } from '../../src/webhooks/dialing/resolve.ts';
import { A, AAAA, type DnsAnswer, type NameServer, startNameServer } from './name-server.ts';

const found = (...addresses: string[]): DnsAnswer => ({ code: 0, addresses });
const SERVFAIL: DnsAnswer = { code: 2, addresses: [] };
const NXDOMAIN: DnsAnswer = { code: 3, addresses: [] };

async function codeOf(run: Promise<unknown>): Promise<unknown> {
  return run.then(
    () => 'nothing thrown',
    (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
  );
}

describe('webhook name resolution', () => {
  let server: NameServer;
  let lookup: Lookup;
  let close: () => void;
  const answers: Record<string, (type: number) => DnsAnswer> = {
    'both.example.com': (type) =>
      type === A ? found('93.184.216.34', '10.0.0.1') : found('2606:2800:220:1:248:1893:25c8:1946'),
    'only4.example.com': (type) => (type === A ? found('93.184.216.34') : found()),
    'only6.example.com': (type) =>
      type === AAAA ? found('2606:2800:220:1:248:1893:25c8:1946') : SERVFAIL,
    'alias.example.com': (type) => ({
      code: 0,
      names: ['edge.example.net', 'vault.internal'],
      addresses: type === A ? ['10.0.0.7'] : [],
    }),
    'broken.example.com': () => SERVFAIL,
    'silent.example.com': () => 'silence',
    'half.example.com': (type) => (type === A ? found() : SERVFAIL),
  };

  before(async () => {
    server = await startNameServer((name, type) => answers[name]?.(type) ?? NXDOMAIN);
    ({ lookup, close } = createLookup({ timeoutMs: 60_000, servers: [server.address] }));
  });
  after(async () => {
    close();
    await server.close();
  });

  it('returns all addresses of both families, allowed or not', async () => {
    expect(await lookup('both.example.com')).to.deep.equal([
      '93.184.216.34',
      '10.0.0.1',
      '2606:2800:220:1:248:1893:25c8:1946',
    ]);
  });
  it('is content with one family, whatever the other returns', async () => {
    expect(await lookup('only4.example.com')).to.deep.equal(['93.184.216.34']);
    expect(await lookup('only6.example.com')).to.deep.equal(['2606:2800:220:1:248:1893:25c8:1946']);
  });
  it('follows chains of aliases to their addresses', async () => {
    expect(await lookup('alias.example.com')).to.deep.equal(['10.0.0.7']);
  });
  it('distinguishes failing or silent servers from a name that does not exist', async () => {
    expect(await codeOf(lookup('broken.example.com'))).to.equal('ESERVFAIL');
    expect(await codeOf(lookup('half.example.com'))).to.equal('ESERVFAIL');
    const impatient = createLookup({ timeoutMs: 100, servers: [server.address] });
    expect(await codeOf(impatient.lookup('silent.example.com'))).to.equal('ETIMEOUT');
    impatient.close();
  });
  it('asks the system for names that are only in its hosts file', async () => {
    expect(await lookup('localhost')).to.include('127.0.0.1');
  });
});
