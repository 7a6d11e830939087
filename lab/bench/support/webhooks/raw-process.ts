import { newId } from '@scriptorium/contracts/ids';
import { Pool } from 'undici';
import { newSecret, parseSecret, signedHeaders } from '../../../../src/webhooks/sign.ts';

/**
 * Posts signed bodies over an undici Pool of fifty connections and records nothing: the upper bound
 * of a sender on this machine. Runs in a separate process, as ours do, so that earlier work of the
 * benchmark has no effect; each turn begins with posts that are not counted.
 */
interface Turn {
  count: number;
  warmUp: number;
  bytes: number;
}

const connections = 50;
const pool = new Pool(process.env.ORIGIN!, { connections });
const key = parseSecret(newSecret());

async function post(count: number, body: string): Promise<void> {
  let remaining = count;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (remaining-- > 0) {
        const timestamp = Math.floor(Date.now() / 1_000);
        const response = await pool.request({
          path: '/raw',
          method: 'POST',
          headers: signedHeaders({ id: newId('event'), timestamp, body, secrets: [key] }),
          body,
        });
        await response.body.dump();
      }
    }),
  );
}

process.on('message', async ({ count, warmUp, bytes }: Turn) => {
  const body = JSON.stringify({ pad: 'x'.repeat(Math.max(0, bytes - 10)) });
  await post(warmUp, body);
  const start = performance.now();
  await post(count, body);
  process.send!({ rate: (count * 1_000) / (performance.now() - start) });
});
process.on('disconnect', () => process.exit());
process.send!({ ready: true });
