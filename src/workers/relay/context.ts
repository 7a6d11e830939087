import type { QueueName } from '@scriptorium/contracts/work/queues';
import type { Database } from '../../db/database.ts';
import type { Logger } from '../../logger.ts';
import type { HandedTask } from '../../outbox/relay/due-task-queries.ts';
import type { FanOutEvent } from '../../outbox/relay/webhooks.ts';
import { type Loop, startLoop } from '../../outbox/rounds.ts';
import { prefixAttributes, type Tracing, traceFields } from '../../tracing.ts';
import type { WorkerDeps } from '../deps.ts';

/** The context shared by the parts of a relay. */
export interface RelayContext {
  readonly deps: WorkerDeps;
  readonly database: Database;
  readonly log: RelayLog;
  /** Starts a loop, which stops with the relay. */
  start(name: string, idleMs: number, round: () => Promise<boolean>): Loop;
  /** Whether hints can be added. */
  isRedisReady(): boolean;
}

/** The polling interval of a relay, and thus the maximum delay after a lost wake-up. */
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
      isRedisReady: () => deps.redis.status === 'ready',
    },
    async stopLoops() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

/** A function that is called at a bounded rate. */
export interface ThrottledKick {
  kick(): void;
  stop(): void;
}

/** Throttles kicks: passes the first on at once, and all others within the pause as one at its end. */
export function throttleKicks(pauseMs: () => number, kick: () => void): ThrottledKick {
  let timer: NodeJS.Timeout | undefined;
  let isKickPending = false;
  const emit = (): void => {
    isKickPending = false;
    kick();
    timer = setTimeout(() => {
      timer = undefined;
      if (isKickPending) emit();
    }, pauseMs());
  };
  return {
    kick() {
      if (timer) isKickPending = true;
      else emit();
    },
    stop: () => clearTimeout(timer),
  };
}

/** Logs what a relay did, event by event and task by task. */
interface RelayLog {
  /** `since` is when its round started, in milliseconds since 1970. */
  events(action: 'number' | 'fan out', since: number, batch: readonly FanOutEvent[]): void;
  tasks(queue: QueueName, since: number, batch: readonly HandedTask[]): void;
}

/**
 * Lines have level `debug`: a relay handles thousands of events a second, and the lines of the
 * request and of the task or delivery already describe each. Spans are recorded for events and tasks
 * with a trace.
 */
function createRelayLog(logger: Logger, tracing: Tracing): RelayLog {
  const isSilent = (): boolean => !tracing.isEnabled && !logger.isLevelEnabled('debug');
  const report = (
    name: string,
    text: string,
    since: number,
    queue: string,
    traceParent: string | null,
    fields: Record<string, string | null>,
  ): void => {
    if (!tracing.isEnabled || traceParent === null) {
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
        ...prefixAttributes(fields),
      },
    });
    logger.debug({ ...fields, ...traceFields(span) }, text);
    span.end();
  };
  return {
    events(action, since, batch) {
      if (isSilent()) return;
      const text = action === 'number' ? 'an event was numbered' : 'an event was fanned out';
      for (const event of batch) {
        report(action, text, since, 'events', event.trace_parent, {
          event_id: event.id,
          event_type: event.type,
          resource_id: event.resource_id,
          project_id: event.project_id,
          request_id: event.request_id,
        });
      }
    },
    tasks(queue, since, batch) {
      if (isSilent()) return;
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
