import type { Middleware } from 'koa';
import type { Queues } from './hints.ts';

interface BoardOptions {
  basePath: string;
  writable: boolean;
}

/**
 * Bull Board for every queue, as middleware for one path. It has no login of its own: the caller
 * must let only the operator through (api/operator.ts).
 */
export function createBoard(queues: Queues, options: BoardOptions): Middleware {
  let board: Promise<Middleware> | undefined;
  return async (ctx, next) => {
    board ??= loadBoard(queues, options);
    return (await board)(ctx, next);
  };
}

/** Its packages are large, and most servers are never asked for it. */
async function loadBoard(queues: Queues, options: BoardOptions): Promise<Middleware> {
  const [{ createBullBoard }, { BullMQAdapter }, { KoaAdapter }] = await Promise.all([
    import('@bull-board/api'),
    import('@bull-board/api/bullMQAdapter'),
    import('@bull-board/koa'),
  ]);
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
