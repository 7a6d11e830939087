/** One TCP connection to one of the checked addresses. */
import { connect, type Socket } from 'node:net';
import type { Destination } from './destination.ts';

/** The TCP connection was not established in time. */
export class ConnectTimeout extends Error {
  override readonly name = 'ConnectTimeout';
}

/**
 * The receiver closed the connection. Also thrown when undici would open a second connection for an
 * exchange, which it would do forever if a receiver accepts and hangs up.
 */
export class HungUp extends Error {
  override readonly name = 'HungUp';
}

// A first address that is 300 ms away must not be abandoned after Node's default of 250 ms.
const ATTEMPT_MS = 1_000;

/**
 * Connects to the first of the addresses that answers, without any look-up. `onSocket` gets the
 * socket before it is connected, so that the caller can close it.
 * @throws ConnectTimeout, HungUp, or the system's error
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
      // A literal is passed to connect() without any look-up; a name gets the checked addresses
      // only.
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
    // Not removed: without it, an error before undici adds its own listeners would end the process.
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
