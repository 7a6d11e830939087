import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** The number of checks within the timeout. */
const checksPerTimeout = 4;

/** The bytes sent on a connection, and the time of the last progress. */
interface Progress {
  acceptedBytes: number;
  stalledSince: number;
}

/**
 * Disconnects clients that stop reading a response. Idle connections (long polls, keep-alive) have
 * no pending bytes, so they are not affected. Node's timeout would restart with every byte
 * received.
 */
export function disconnectStalledClients(server: Server, writeIdleMs: number): void {
  const progressBySocket = new Map<Socket, Progress>();
  server.on('connection', (socket) => {
    progressBySocket.set(socket, { acceptedBytes: 0, stalledSince: performance.now() });
    socket.once('close', () => progressBySocket.delete(socket));
  });
  const timer = setInterval(() => {
    const now = performance.now();
    for (const [socket, progress] of progressBySocket) {
      const acceptedBytes = countAcceptedBytes(socket);
      if (socket.writableLength === 0 || acceptedBytes !== progress.acceptedBytes)
        progressBySocket.set(socket, { acceptedBytes, stalledSince: now });
      else if (now - progress.stalledSince >= writeIdleMs) socket.destroy();
    }
  }, writeIdleMs / checksPerTimeout);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}

/** The number of bytes that the operating system has accepted, including the current write. */
function countAcceptedBytes(socket: Socket): number {
  // A large write completes with its last byte. Until then, only the handle shows its progress.
  const handle: unknown = Reflect.get(socket, '_handle');
  const queuedBytes =
    typeof handle === 'object' && handle !== null ? Reflect.get(handle, 'writeQueueSize') : 0;
  return (
    socket.bytesWritten -
    socket.writableLength -
    (typeof queuedBytes === 'number' ? queuedBytes : 0)
  );
}
