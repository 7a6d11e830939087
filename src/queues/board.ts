import { type QueueName, queueNames } from '@scriptorium/contracts/work/queues';
import type { Middleware } from 'koa';
import type { Queues } from './hints.ts';

/** Reads and changes the pauses of queues, which are stored in Postgres. */
export interface Pauses {
  isPaused(queue: QueueName): Promise<boolean>;
  pause(queue: QueueName): Promise<void>;
  resume(queue: QueueName): Promise<void>;
}

interface BoardOptions {
  basePath: string;
  writable: boolean;
  pauses: Pauses;
}

/**
 * Bull Board for all queues, as middleware for one path. It has no login: the caller must admit
 * only the operator (api/operator.ts).
 */
export function createBoard(queues: Queues, options: BoardOptions): Middleware {
  let board: Promise<Middleware> | undefined;
  return async (ctx, next) => {
    board ??= loadBoard(queues, options);
    return (await board)(ctx, next);
  };
}

/** Loads the board on first use: its packages are large, and most servers never need it. */
async function loadBoard(queues: Queues, options: BoardOptions): Promise<Middleware> {
  const [{ createBullBoard }, { BullMQAdapter }, { KoaAdapter }] = await Promise.all([
    import('@bull-board/api'),
    import('@bull-board/api/bullMQAdapter'),
    import('@bull-board/koa'),
  ]);
  const { basePath, writable, pauses } = options;
  /** A queue whose pause is stored in Postgres, which workers check. */
  class PausedInPostgres extends BullMQAdapter {
    readonly #name: QueueName;
    constructor(name: QueueName) {
      super(queues[name], { readOnlyMode: !writable });
      this.#name = name;
    }
    override isPaused(): Promise<boolean> {
      return pauses.isPaused(this.#name);
    }
    override pause(): Promise<void> {
      return pauses.pause(this.#name);
    }
    override resume(): Promise<void> {
      return pauses.resume(this.#name);
    }
  }
  const adapter = new KoaAdapter();
  adapter.setBasePath(basePath);
  createBullBoard({
    queues: queueNames.map((name) => new PausedInPostgres(name)),
    // The Koa adapter has its own copy of the same interface, from another patch release.
    serverAdapter: adapter as unknown as Parameters<typeof createBullBoard>[0]['serverAdapter'],
    options: { uiConfig: { boardTitle: 'Scriptorium' } },
  });
  return adapter.registerPlugin();
}
