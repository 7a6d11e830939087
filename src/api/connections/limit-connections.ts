import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../../access/ip-addresses.ts';

/** Limits concurrent connections per network: an IPv4 address or an IPv6 /64. */
export function limitConnections(
  server: Server,
  max: number,
  reject: (socket: Socket) => void,
): void {
  const connectionCounts = new Map<string, number>();
  server.on('connection', (socket) => {
    const network = networkOf(socket.remoteAddress);
    const count = connectionCounts.get(network) ?? 0;
    if (count >= max) {
      reject(socket);
      return;
    }
    connectionCounts.set(network, count + 1);
    socket.once('close', () => {
      const remaining = (connectionCounts.get(network) ?? 1) - 1;
      if (remaining > 0) connectionCounts.set(network, remaining);
      else connectionCounts.delete(network);
    });
  });
}
