import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How many checks happen within the allowed time. */
const looks = 4;

/** The number of bytes sent on a connection, and since when it has stalled. */
interface Progress {
  at: number;
  since: number;
}

/**
 * Cuts off clients that stop reading a response of any kind. Connections on which the server waits
 * (long polls, idle keep-alive) have no pending bytes. Node's own timeout would restart with every
 * received byte.
 */
export function cutOffStalled(server: Server, writeIdleMs: number): void {
  const open = new Map<Socket, Progress>();
  server.on('connection', (socket) => {
    open.set(socket, { at: 0, since: performance.now() });
    socket.once('close', () => open.delete(socket));
  });
  const timer = setInterval(() => {
    const now = performance.now();
    for (const [socket, progress] of open) {
      const at = taken(socket);
      if (socket.writableLength === 0 || at !== progress.at) open.set(socket, { at, since: now });
      else if (now - progress.since >= writeIdleMs) socket.destroy();
    }
  }, writeIdleMs / looks);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}

/** How many bytes the operating system has accepted, including those of the current write. */
function taken(socket: Socket): number {
  // A large write completes only with its last byte; only the handle shows the progress before
  // that.
  const handle: unknown = Reflect.get(socket, '_handle');
  const rest =
    typeof handle === 'object' && handle !== null ? Reflect.get(handle, 'writeQueueSize') : 0;
  return socket.bytesWritten - socket.writableLength - (typeof rest === 'number' ? rest : 0);
}
