import type { Database } from '../db/database.ts';
import { inOnePacket } from '../db/one-packet.ts';
import { giveHints } from '../outbox/relay/hand-over.ts';
import { type HandedEndpoint, stillMarked } from '../outbox/relay/hand-over-endpoints.ts';
import { createCaller } from '../queues/calls.ts';
import type { WorkerDeps } from './deps.ts';

/** Endpoints that one sender is called for at once; more are shared out by hints. */
const mostCalled = 10;
/** A sender has this long to claim what it is called for, and at most twice as long. */
export const answerMs = 200;

/** Gets endpoints served that are marked as handed over. */
export interface Calling {
  /** Calls a sender for a few endpoints; gives hints for more, and where no sender hears. */
  tell(handed: readonly HandedEndpoint[]): Promise<void>;
  /**
   * Looks after the calls of the round before: a claim clears the mark of its endpoint, so a mark that
   * is still there was not answered. Its sender is not called again until it is heard from; another is
   * called once, and then hints are given. To be called every `answerMs`.
   */
  follow(): Promise<void>;
  /** Gives hints for the calls that are not answered yet, and ends. */
  stop(): Promise<void>;
}

interface Call {
  sender: string;
  handed: readonly HandedEndpoint[];
  /** The endpoints were called for before. */
  again: boolean;
}

export function createCalling(deps: WorkerDeps, database: Database): Calling {
  const caller = createCaller(deps.redis, deps.connect());
  /** Made since the last round, and before it. */
  let recent: Call[] = [];
  let former: Call[] = [];

  const hint = (handed: readonly HandedEndpoint[]) => giveHints(database, deps.queues, handed);
  const call = async (handed: readonly HandedEndpoint[], again: boolean): Promise<void> => {
    const ids = handed.map(({ endpoint_id }) => endpoint_id);
    const sender = ids.length > mostCalled ? null : await caller.call(ids).catch(() => null);
    if (sender === null) await hint(handed);
    else recent.push({ sender, handed, again });
  };
  const unanswered = async (calls: readonly Call[]): Promise<Call[]> => {
    const handed = calls.flatMap((one) => one.handed);
    if (handed.length === 0) return [];
    const marked = await inOnePacket(database, (tx) => stillMarked(tx, handed));
    const keys = new Set(marked.map(keyOf));
    return calls.flatMap((one) => {
      const left = one.handed.filter((each) => keys.has(keyOf(each)));
      return left.length > 0 ? { ...one, handed: left } : [];
    });
  };
  return {
    tell: (handed) => call(handed, false),
    async follow() {
      const late = await unanswered(former);
      former = recent;
      recent = [];
      for (const { sender } of late) caller.passOver(sender);
      const of = (again: boolean) =>
        late.filter((one) => one.again === again).flatMap(({ handed }) => handed);
      const [first, second] = [of(false), of(true)];
      await Promise.all([
        first.length > 0 ? call(first, true) : null,
        second.length > 0 ? hint(second) : null,
      ]);
    },
    async stop() {
      try {
        await hint((await unanswered([...former, ...recent])).flatMap(({ handed }) => handed));
      } finally {
        caller.close();
      }
    },
  };
}

function keyOf({ endpoint_id, handed_ms }: HandedEndpoint): string {
  return `${endpoint_id}-${handed_ms}`;
}
