import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { KoaAdapter } from '@bull-board/koa';
import type { Middleware } from 'koa';
import type { Queues } from './hints.ts';

/**
 * Bull Board for every queue, as middleware for one path. It has no login of its own: the caller
 * must let only the operator through (api/operator.ts).
 */
export function createBoard(
  queues: Queues,
  options: { basePath: string; writable: boolean },
): Middleware {
  const adapter = new KoaAdapter();
  adapter.setBasePath(options.basePath);
  createBullBoard({
    queues: Object.values(queues).map(
      (queue) => new BullMQAdapter(queue, { readOnlyMode: !options.writable }),
    ),
    // The Koa adapter has its own copy of the same interface, from another patch release.
    serverAdapter: adapter as unknown as Parameters<typeof createBullBoard>[0]['serverAdapter'],
    options: { uiConfig: { boardTitle: 'Scriptorium' } },
  });
  return adapter.registerPlugin();
}
