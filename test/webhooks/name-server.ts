/** A name server on 127.0.0.1 with configured answers (RFC 1035 §4). */
import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';

export const A = 1;
const CNAME = 5;
export const AAAA = 28;

/**
 * `names` are aliases in a chain: the answer contains a CNAME for each in turn, and the addresses
 * belong to the last.
 */
export type DnsAnswer =
  | { code: number; addresses: readonly string[]; names?: readonly string[] }
  | 'silence';

export interface NameServer {
  /** In the format that the resolver expects. */
  address: string;
  close(): Promise<void>;
}

export async function startNameServer(
  answer: (name: string, type: number) => DnsAnswer,
): Promise<NameServer> {
  const socket = createSocket('udp4');
  socket.on('message', (query, peer) => {
    const { name, end } = readName(query);
    const type = query.readUInt16BE(end);
    const response = answer(name, type);
    if (response === 'silence') return;
    const records: Buffer[] = [];
    let owner = name;
    for (const alias of response.names ?? []) {
      records.push(record(owner, CNAME, writeName(alias)));
      owner = alias;
    }
    for (const address of response.addresses) records.push(record(owner, type, bytesOf(address)));
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(0x8180 | response.code, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(records.length, 6);
    header.fill(0, 8);
    const message = Buffer.concat([header, query.subarray(12, end + 4), ...records]);
    socket.send(message, peer.port, peer.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', () => resolve()));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let size = query[at] ?? 0; size > 0; size = query[at] ?? 0) {
    labels.push(query.toString('ascii', at + 1, at + 1 + size));
    at += 1 + size;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

function writeName(name: string): Buffer {
  const labels = name.split('.').map((label) => {
    const bytes = Buffer.from(label, 'ascii');
    return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  });
  return Buffer.concat([...labels, Buffer.from([0])]);
}

function record(owner: string, type: number, data: Buffer): Buffer {
  const fixed = Buffer.from([0, type, 0, 1, 0, 0, 0, 0, 0, data.length]);
  return Buffer.concat([writeName(owner), fixed, data]);
}

function bytesOf(address: string): Buffer {
  if (!isIPv6(address)) return Buffer.from(address.split('.').map(Number));
  const [head = '', tail] = address.split('::');
  const words = (part: string | undefined) => (part ? part.split(':') : []);
  const gap = tail === undefined ? 0 : 8 - words(head).length - words(tail).length;
  const all = [...words(head), ...Array<string>(gap).fill('0'), ...words(tail)];
  return Buffer.from(all.map((word) => word.padStart(4, '0')).join(''), 'hex');
}
