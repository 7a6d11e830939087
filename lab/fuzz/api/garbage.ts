import { connectRaw } from '../../../test/support/raw-connection.ts';
import type { Dice } from '../dice.ts';
import type { Findings } from './findings.ts';

const requestLine = 'GET /v1/limits HTTP/1.1';
const postHead = 'POST /v1/collections HTTP/1.1\r\nHost: x\r\nContent-Type: application/json';

/** Bytes that no HTTP client would send. */
const garbage: readonly string[] = [
  'hello\r\n\r\n',
  '\r\n\r\n\r\n\0\0\0',
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'GET / HTTP/9.9\r\nHost: x\r\n\r\n',
  `${requestLine}\r\n\r\n`,
  `${requestLine}\r\nHost: a\r\nHost: b\r\n\r\n`,
  `${requestLine}\r\nHost : x\r\n\r\n`,
  `${requestLine}\r\nHost: x\r\nX-A: a\0b\r\n\r\n`,
  `${requestLine}\nHost: x\n\n`,
  `${requestLine}\r\nHost: x\r\nX-A: a\r\n b\r\n\r\n`,
  `${requestLine}\r\nHost: x\r\nX-A: ${'a'.repeat(70_000)}\r\n\r\n`,
  `${requestLine}\r\nHost: x\r\n${'X-A: b\r\n'.repeat(3_000)}\r\n`,
  `GET /v1/\x01\xff HTTP/1.1\r\nHost: x\r\n\r\n`,
  `GET http://x/v1/limits HTTP/1.1\r\nHost: y\r\n\r\n`,
  'GET * HTTP/1.1\r\nHost: x\r\n\r\n',
  'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n',
  `${requestLine}\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
  `${postHead}\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{} `,
  `${postHead}\r\nContent-Length: -1\r\n\r\n{}`,
  `${postHead}\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
  `${postHead}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n`,
  `${postHead}\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n{}\r\n`,
  `${postHead}\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
  `${postHead}\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
  `${postHead}\r\nExpect: 200-maybe\r\nContent-Length: 2\r\n\r\n{}`,
  `${postHead}\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n{}`,
  `${postHead}\r\nContent-Length: 20\r\n\r\n{}`,
];

/** Sends one piece of garbage and disconnects; the response, if any, is a 4xx. */
export async function sendGarbage(url: string, dice: Dice, findings: Findings): Promise<void> {
  const sent = dice.pick(garbage);
  const raw = await connectRaw(url);
  const responded = new Promise<void>((resolve) => {
    raw.socket.once('data', () => resolve());
    raw.socket.once('close', () => resolve());
  });
  raw.send(Buffer.from(sent, 'latin1'));
  // Nothing more is sent, so waiting for the rest of a body ends.
  raw.socket.end();
  await responded;
  raw.socket.destroy();
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(raw.received())?.[1] ?? 0);
  findings.requests += 1;
  findings.byStatus.set(status, (findings.byStatus.get(status) ?? 0) + 1);
  // No response counts as 0, and the server asks for a body with 100.
  if (status >= 500 || (status > 100 && status < 400)) {
    const draft = { method: 'RAW', path: '/', query: [], headers: {}, body: sent };
    const text = raw.received();
    const response = { status, headers: {}, body: Buffer.from(text), text, ms: 0, isOpen: false };
    findings.add(`status ${status}`, 'rubbish', draft, response);
  }
}
