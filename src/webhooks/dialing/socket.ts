/** One TCP connection to one of the addresses that were checked. */
import { connect, type Socket } from 'node:net';
import type { Destination } from './destination.ts';

/** No TCP connection within the time for one. */
export class ConnectTimeout extends Error {
  override readonly name = 'ConnectTimeout';
}

/** The receiver closed the connection; also when undici would open a second one for one exchange,
 * which it would do for ever with a receiver that accepts and hangs up. */
export class HungUp extends Error {
  override readonly name = 'HungUp';
}

// A first address that is 300 ms away must not be given up after node's default of 250.
const ATTEMPT_MS = 1_000;

/**
 * Connects to the first of the addresses that answers; nothing is looked up here. `onSocket` gets
 * the socket before it is connected, so that whoever waits can end it.
 * @throws ConnectTimeout, HungUp, or what the system says
 */
export function openSocket(
  destination: Destination,
  addresses: readonly string[],
  timeoutMs: number,
  onSocket: (socket: Socket) => void,
): Promise<Socket> {
  const url = new URL(destination.origin);
  const port = url.port === '' ? (destination.protocol === 'https:' ? 443 : 80) : Number(url.port);
  const answers = addresses
    .slice(0, 8)
    .map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  return new Promise((resolve, reject) => {
    const socket = connect({
      port,
      // A literal goes to connect() without any look-up; a name gets the checked answers only.
      host: answers.length === 1 ? (answers[0]?.address ?? '') : destination.host,
      lookup: (_name, _options, done) => done(null, answers),
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: ATTEMPT_MS,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: 60_000,
    });
    onSocket(socket);
    const timer = setTimeout(
      () => socket.destroy(new ConnectTimeout('connect timeout')),
      timeoutMs,
    );
    // Stays on: between here and undici's own listeners an error must not end the process.
    socket.on('error', reject);
    socket.once('close', () => {
      clearTimeout(timer);
      reject(new HungUp('The connection was closed.'));
    });
    socket.once('connect', () => {
      clearTimeout(timer);
      resolve(socket);
    });
  });
}
