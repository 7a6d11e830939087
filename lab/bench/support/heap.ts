import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { WebSocket } from 'undici';

/** The memory of a process started with `--inspect`. */
export interface Heap {
  /** The heap after a forced collection, and the resident memory, in MiB. */
  read(): Promise<{ heapMiB: number; rssMiB: number }>;
  close(): void;
}

const MiB = 1024 * 1024;

/** Connects to the inspector of a process, retrying until it listens. */
export async function openHeap(port: number, pid: number): Promise<Heap> {
  const socket = new WebSocket(await findInspector(port));
  await once(socket, 'open');
  let last = 0;
  const call = async (method: string, params: object = {}): Promise<Record<string, unknown>> => {
    const id = ++last;
    const result = new Promise<Record<string, unknown>>((resolve) => {
      const onMessage = ({ data }: { data: unknown }): void => {
        const message = JSON.parse(String(data)) as { id?: number; result: typeof params };
        if (message.id !== id) return;
        socket.removeEventListener('message', onMessage);
        resolve({ ...message.result });
      };
      socket.addEventListener('message', onMessage);
    });
    socket.send(JSON.stringify({ id, method, params }));
    return result;
  };
  return {
    async read() {
      await call('HeapProfiler.collectGarbage');
      const { usedSize } = await call('Runtime.getHeapUsage');
      const resident = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
      return { heapMiB: Number(usedSize) / MiB, rssMiB: Number(resident) / 1024 };
    },
    close: () => socket.close(),
  };
}

async function findInspector(port: number): Promise<string> {
  const end = performance.now() + 30_000;
  while (performance.now() < end) {
    const response = await fetch(`http://127.0.0.1:${port}/json/list`).catch(() => null);
    if (response?.ok) {
      const [target] = (await response.json()) as { webSocketDebuggerUrl: string }[];
      if (target) return target.webSocketDebuggerUrl;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('The inspector did not respond.');
}
