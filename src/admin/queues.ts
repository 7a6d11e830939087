import { setTimeout as delay } from 'node:timers/promises';
import { pluralise } from '@scriptorium/contracts/pluralise';
import { type QueueName, queueNames } from '@scriptorium/contracts/work/queues';
import { pauseQueue, resumeQueue } from '../outbox/pause.ts';
import { type Command, type CommandInput, formatTable } from './command.ts';
import { countRunning, readQueueStates } from './queue-state.ts';

export const queueCommands: Command[] = [
  {
    name: 'queue list',
    summary: 'list the queues with their tasks, workers and hints in Redis',
    async run(_input, context) {
      const [states, hints] = [await context.asOwner(readQueueStates), await context.hints()];
      const queues = states.map((state) => ({ ...state, hints: hints?.[state.queue] ?? null }));
      const rows = queues.map((each) => [
        each.queue,
        each.paused_at ? 'paused' : 'active',
        each.due,
        each.oldest_due_seconds === null ? '-' : `${each.oldest_due_seconds} s`,
        each.later,
        each.running,
        each.workers,
        each.slots,
        each.hints?.waiting,
        each.hints?.active,
      ]);
      const headings = ['QUEUE', 'STATE', 'DUE', 'OLDEST', 'LATER', 'RUNNING', 'WORKERS', 'SLOTS'];
      const queueTable = formatTable([...headings, 'HINTS WAITING', 'HINTS ACTIVE'], rows);
      return {
        json: { queues, redis: hints !== null },
        text:
          hints === null
            ? `${queueTable}\n\nRedis is not configured or does not respond.`
            : queueTable,
      };
    },
  },
  {
    name: 'queue pause',
    args: ['QUEUE'],
    options: { reason: { value: 'TEXT', summary: 'the reason, shown in `queue list`' } },
    summary: 'pause a queue: no more of its tasks start',
    async run(input, { asOwner }) {
      const queue = queueOf(input);
      const changed = await asOwner((tx) => pauseQueue(tx, queue, input.option('reason') ?? null));
      return {
        json: { queue, paused: true, changed },
        text: changed
          ? `Queue ${queue} paused. Running tasks continue; use 'queue drain' to wait for them.`
          : `Queue ${queue} was already paused.`,
      };
    },
  },
  {
    name: 'queue resume',
    args: ['QUEUE'],
    summary: 'resume a paused queue',
    async run(input, { asOwner }) {
      const queue = queueOf(input);
      const changed = await asOwner((tx) => resumeQueue(tx, queue));
      return {
        json: { queue, paused: false, changed },
        text: changed ? `Queue ${queue} resumed.` : `Queue ${queue} was not paused.`,
      };
    },
  },
  {
    name: 'queue drain',
    args: ['QUEUE'],
    options: {
      timeout: { value: 'SECONDS', summary: 'the maximum wait, 600 by default' },
    },
    summary: 'pause a queue and wait for its running tasks',
    async run(input, { asOwner, progress }) {
      const queue = queueOf(input);
      const deadline = performance.now() + (input.positiveInteger('timeout') ?? 600) * 1_000;
      await asOwner((tx) => pauseQueue(tx, queue, 'drained'));
      let lastReported: number | undefined;
      for (;;) {
        const running = await asOwner((tx) => countRunning(tx, queue));
        if (running !== lastReported) progress(`${queue}: ${pluralise(running, 'running task')}`);
        lastReported = running;
        const json = { queue, paused: true, running };
        if (running === 0) {
          return {
            json,
            text: `Queue ${queue} is drained and paused. Resume it with 'queue resume ${queue}'.`,
          };
        }
        if (performance.now() >= deadline) {
          const text = `Timeout: queue ${queue} still has ${pluralise(running, 'running task')} and remains paused.`;
          return { json, text, hasProblem: true };
        }
        await delay(Math.min(500, deadline - performance.now()));
      }
    },
  },
];

function queueOf(input: CommandInput): QueueName {
  return input.oneOf('queue', input.arg('QUEUE'), queueNames);
}
