import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How often it is looked within the time that a client has. */
const looks = 4;

/** How far the bytes of a connection are, and since when they are no further. */
interface Progress {
  at: number;
  since: number;
}

/**
 * Cuts off clients that read nothing of what waits for them, whatever it is: content, an export, a
 * stream of events, plain JSON. What is waited for by us (a long poll, an idle connection) leaves
 * nothing waiting for the client. Node's own time-out would start over with every byte that comes in.
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

/** How many bytes the system has taken from us, of the write under way too. */
function taken(socket: Socket): number {
  // A large write ends when the last of its bytes is taken; only the handle knows of those before.
  const handle: unknown = Reflect.get(socket, '_handle');
  const rest =
    typeof handle === 'object' && handle !== null ? Reflect.get(handle, 'writeQueueSize') : 0;
  return socket.bytesWritten - socket.writableLength - (typeof rest === 'number' ? rest : 0);
}
