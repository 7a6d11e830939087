import type { QueueName } from '@scriptorium/contracts/work/queues';
import type { Logger } from '../../logger.ts';
import type { HandedTask } from '../../outbox/relay/due-tasks.ts';
import type { FanOutEvent } from '../../outbox/relay/webhooks.ts';
import { ownAttributes, type Tracing, traceField } from '../../tracing.ts';

/** Logs what a relay did, event by event and task by task. */
export interface RelayLog {
  /** `since` is when its round started, in milliseconds since 1970. */
  events(what: 'number' | 'fan out', since: number, batch: readonly FanOutEvent[]): void;
  tasks(queue: QueueName, since: number, batch: readonly HandedTask[]): void;
}

/**
 * Lines have level `debug`: a relay passes on thousands of events a second, and each has lines of
 * its request before and of its task or delivery after. Spans are recorded for events and tasks
 * with a trace.
 */
export function createRelayLog(logger: Logger, tracing: Tracing): RelayLog {
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
