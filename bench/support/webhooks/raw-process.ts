import { Pool } from 'undici';
import { newId } from '../../../src/contracts/ids.ts';
import { newSecret, parseSecret, headers as signedHeaders } from '../../../src/webhooks/sign.ts';

/**
 * Posts signed bodies over an undici Pool of fifty connections and remembers nothing: what a sender
 * that does no more can do here just now. In a process of its own, as ours are, so that what the
 * bench has done meanwhile does not show; each turn begins with posts that are not counted.
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
  let left = count;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (left-- > 0) {
        const timestamp = Math.floor(Date.now() / 1_000);
        const answer = await pool.request({
          path: '/raw',
          method: 'POST',
          headers: signedHeaders({ id: newId('event'), timestamp, body, secrets: [key] }),
          body,
        });
        await answer.body.dump();
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
