import type { QueueName } from '@scriptorium/contracts/work/queues';
import type { Database } from '../../db/database.ts';
import type { Logger } from '../../logger.ts';
import type { HandedTask } from '../../outbox/relay/due-task-queries.ts';
import type { FanOutEvent } from '../../outbox/relay/webhooks.ts';
import { type Loop, startLoop } from '../../outbox/rounds.ts';
import { ownAttributes, type Tracing, traceField } from '../../tracing.ts';
import type { WorkerDeps } from '../deps.ts';

/** What the parts of a relay share. */
export interface RelayContext {
  readonly deps: WorkerDeps;
  readonly database: Database;
  readonly log: RelayLog;
  /** Starts a loop, which stops with the relay. */
  start(name: string, idleMs: number, round: () => Promise<boolean>): Loop;
  /** Hints can be added. */
  redisReady(): boolean;
}

/** The relay's own timer: the maximum cost of a lost wake-up. */
export const idleMs = 250;

/** Creates the context of a relay, and the function that stops its loops. */
export function createContext(deps: WorkerDeps): {
  context: RelayContext;
  stopLoops: () => Promise<void>;
} {
  const { relayDatabase: database, logger } = deps;
  if (!database) throw new Error('A relay needs DATABASE_RELAY_URL.');
  const loops: Loop[] = [];
  return {
    context: {
      deps,
      database,
      log: createRelayLog(logger, deps.tracing),
      start(name, idleMs, round) {
        const loop = startLoop(name, { idleMs, logger }, round);
        loops.push(loop);
        return loop;
      },
      redisReady: () => deps.redis.status === 'ready',
    },
    async stopLoops() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

/** Kicks that are passed on at a bounded rate. */
export interface Kicks {
  kick(): void;
  stop(): void;
}

/** Passes kicks on: the first at once, and those that follow within the pause as one at its end. */
export function kickSeldom(pauseMs: () => number, kick: () => void): Kicks {
  let timer: NodeJS.Timeout | undefined;
  let again = false;
  const pass = (): void => {
    again = false;
    kick();
    timer = setTimeout(() => {
      timer = undefined;
      if (again) pass();
    }, pauseMs());
  };
  return {
    kick() {
      if (timer) again = true;
      else pass();
    },
    stop: () => clearTimeout(timer),
  };
}

/** Logs what a relay did, event by event and task by task. */
interface RelayLog {
  /** `since` is when its round started, in milliseconds since 1970. */
  events(what: 'number' | 'fan out', since: number, batch: readonly FanOutEvent[]): void;
  tasks(queue: QueueName, since: number, batch: readonly HandedTask[]): void;
}

/**
 * Lines have level `debug`: a relay passes on thousands of events a second, and each has lines of
 * its request before and of its task or delivery after. Spans are recorded for events and tasks
 * with a trace.
 */
function createRelayLog(logger: Logger, tracing: Tracing): RelayLog {
  const idle = (): boolean => !tracing.on && !logger.isLevelEnabled('debug');
  const report = (
    name: string,
    text: string,
    since: number,
    queue: string,
    traceParent: string | null,
    fields: Record<string, string | null>,
  ): void => {
    if (!tracing.on || traceParent === null) {
      logger.debug(fields, text);
      return;
    }
    const span = tracing.start(name, {
      kind: 'producer',
      parent: traceParent,
      startedAt: since,
      attributes: {
        'messaging.system': 'bullmq',
        'messaging.operation.name': name,
        'messaging.operation.type': 'send',
        'messaging.destination.name': queue,
        ...ownAttributes(fields),
      },
    });
    logger.debug({ ...fields, ...traceField(span) }, text);
    span.end();
  };
  return {
    events(what, since, batch) {
      if (idle()) return;
      const text = what === 'number' ? 'an event was numbered' : 'an event was fanned out';
      for (const event of batch) {
        report(what, text, since, 'events', event.trace_parent, {
          event_id: event.id,
          event_type: event.type,
          resource_id: event.resource_id,
          project_id: event.project_id,
          request_id: event.request_id,
        });
      }
    },
    tasks(queue, since, batch) {
      if (idle()) return;
      for (const task of batch) {
        report('hand over', 'a task was handed over', since, queue, task.trace_parent, {
          task_id: task.id,
          kind: task.kind,
          queue,
          project_id: task.project_id,
          request_id: task.request_id,
        });
      }
    },
  };
}
