import { createSocket, type Socket } from 'node:dgram';
import { expect } from 'chai';
import { createLookup, type Lookup } from '../../src/webhooks/dialing/resolve.ts';

const A = 1;
const AAAA = 28;
type Answer = { code: number; addresses: Buffer[] } | 'silence';

/** A name server that answers as it is told (RFC 1035 §4). */
function nameServer(answer: (name: string, type: number) => Answer): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.on('message', (query, peer) => {
    const labels: string[] = [];
    let at = 12;
    for (let size = query[at] ?? 0; size > 0; size = query[at] ?? 0) {
      labels.push(query.toString('ascii', at + 1, at + 1 + size));
      at += 1 + size;
    }
    const type = query.readUInt16BE(at + 1);
    const said = answer(labels.join('.').toLowerCase(), type);
    if (said === 'silence') return;
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(0x8180 | said.code, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(said.addresses.length, 6);
    header.fill(0, 8);
    const records = said.addresses.map((data) => {
      const record = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]);
      return Buffer.concat([record, data]);
    });
    socket.send(
      Buffer.concat([header, query.subarray(12, at + 5), ...records]),
      peer.port,
      peer.address,
    );
  });
  return new Promise((resolve) => socket.bind(0, '127.0.0.1', () => resolve(socket)));
}

const v4 = (...bytes: number[]) => Buffer.from(bytes);
const v6 = (hex: string) => Buffer.from(hex, 'hex');
const found = (...addresses: Buffer[]): Answer => ({ code: 0, addresses });
const SERVFAIL: Answer = { code: 2, addresses: [] };
const NXDOMAIN: Answer = { code: 3, addresses: [] };

async function codeOf(run: Promise<unknown>): Promise<unknown> {
  return run.then(
    () => 'nothing thrown',
    (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
  );
}

describe('webhooks/resolve: the look-up of the machine', () => {
  let server: Socket;
  let lookup: Lookup;
  let close: () => void;
  const answers: Record<string, (type: number) => Answer> = {
    'both.example.com': (type) =>
      type === A
        ? found(v4(93, 184, 216, 34), v4(10, 0, 0, 1))
        : found(v6('26062800022000010248189325c81946')),
    'only4.example.com': (type) => (type === A ? found(v4(93, 184, 216, 34)) : found()),
    'only6.example.com': (type) =>
      type === AAAA ? found(v6('26062800022000010248189325c81946')) : SERVFAIL,
    'broken.example.com': () => SERVFAIL,
    'silent.example.com': () => 'silence',
    'half.example.com': (type) => (type === A ? found() : SERVFAIL),
  };

  before(async () => {
    server = await nameServer((name, type) => answers[name]?.(type) ?? NXDOMAIN);
    const servers = [`127.0.0.1:${server.address().port}`];
    ({ lookup, close } = createLookup({ timeoutMs: 100, servers }));
  });
  after(async () => {
    close();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });

  it('gives every address of both families, the bad ones with the good', async () => {
    expect(await lookup('both.example.com')).to.deep.equal([
      '93.184.216.34',
      '10.0.0.1',
      '2606:2800:220:1:248:1893:25c8:1946',
    ]);
  });
  it('makes do with one family, whatever the other one says', async () => {
    expect(await lookup('only4.example.com')).to.deep.equal(['93.184.216.34']);
    expect(await lookup('only6.example.com')).to.deep.equal(['2606:2800:220:1:248:1893:25c8:1946']);
  });
  it('tells servers that fail or are silent from a name that is not there', async () => {
    expect(await codeOf(lookup('broken.example.com'))).to.equal('ESERVFAIL');
    expect(await codeOf(lookup('half.example.com'))).to.equal('ESERVFAIL');
    expect(await codeOf(lookup('silent.example.com'))).to.equal('ETIMEOUT');
  });
  it('asks the system for names that only its hosts file has', async () => {
    expect(await lookup('localhost')).to.include('127.0.0.1');
  });
});
