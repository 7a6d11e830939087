import type { Database } from '../../db/database.ts';
import { inOnePacket } from '../../db/one-packet.ts';
import { addEndpointHints } from '../../outbox/relay/hand-over.ts';
import type { HandedEndpoint } from '../../outbox/relay/webhooks.ts';
import { createCaller } from '../../queues/calls.ts';
import { endpointQueue, stillMarked } from '../../webhooks/relay/hand-over.ts';
import type { WorkerDeps } from '../deps.ts';

/** How many endpoints one sender is called for at once; more are distributed by hints. */
const mostCalled = 10;
/** How long a sender has to claim what it is called for; at most twice as long. */
export const answerMs = 200;

/** Gets endpoints served that are marked as handed over. */
export interface Calling {
  /** Calls a sender for a few endpoints; adds hints for more, or when no sender answers. */
  tell(handed: readonly HandedEndpoint[]): Promise<void>;
  /**
   * Checks the calls of the previous round: a claim clears the mark of its endpoint, so a mark that
   * is still set means no answer. That sender is not called again until it announces itself;
   * another is called once, and then hints are added. To be called every `answerMs`.
   */
  follow(): Promise<void>;
  /** Adds hints for the calls without an answer, and stops. */
  stop(): Promise<void>;
}

interface Call {
  sender: string;
  handed: readonly HandedEndpoint[];
  /** This is the second call for these endpoints. */
  again: boolean;
}

export function createCalling(deps: WorkerDeps, database: Database): Calling {
  const caller = createCaller(deps.redis, deps.connect());
  /** Calls since the last round, and before it. */
  let recent: Call[] = [];
  let former: Call[] = [];
  /** Calls and rounds in progress, which `stop` must not miss. */
  const open = new Set<Promise<void>>();
  const track = async (work: Promise<void>): Promise<void> => {
    open.add(work);
    try {
      await work;
    } finally {
      open.delete(work);
    }
  };

  const hint = (handed: readonly HandedEndpoint[]) =>
    addEndpointHints(database, deps.queues, endpointQueue, handed);
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
  const followUp = async (): Promise<void> => {
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
  };
  return {
    tell: (handed) => track(call(handed, false)),
    follow: () => track(followUp()),
    async stop() {
      try {
        await Promise.allSettled(open);
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
