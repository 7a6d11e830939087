import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../../access/addresses.ts';

/** Limits concurrent connections per network: an IPv4 address or an IPv6 /64. */
export function limitConnections(
  server: Server,
  max: number,
  reject: (socket: Socket) => void,
): void {
  const open = new Map<string, number>();
  server.on('connection', (socket) => {
    const network = networkOf(socket.remoteAddress);
    const count = open.get(network) ?? 0;
    if (count >= max) {
      reject(socket);
      return;
    }
    open.set(network, count + 1);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
  });
}
