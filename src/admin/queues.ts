import { setTimeout as delay } from 'node:timers/promises';
import { pluralise } from '@scriptorium/contracts/pluralise';
import { type QueueName, queueNames } from '@scriptorium/contracts/work/queues';
import { pauseQueue, resumeQueue } from '../outbox/pause.ts';
import { type Command, type Given, table } from './command.ts';
import { countRunning, readQueues } from './queue-state.ts';

export const queueCommands: Command[] = [
  {
    name: 'queue list',
    summary: 'list the queues with their tasks, workers and hints in Redis',
    async run(_given, means) {
      const [states, hints] = [await means.asOwner(readQueues), await means.hints()];
      const all = states.map((state) => ({ ...state, hints: hints?.[state.queue] ?? null }));
      const rows = all.map((each) => [
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
      const told = table([...headings, 'HINTS WAITING', 'HINTS ACTIVE'], rows);
      return {
        json: { queues: all, redis: hints !== null },
        text: hints === null ? `${told}\n\nRedis is not configured or does not respond.` : told,
      };
    },
  },
  {
    name: 'queue pause',
    args: ['QUEUE'],
    options: { reason: { value: 'TEXT', summary: 'the reason, shown in `queue list`' } },
    summary: 'stop starting tasks of a queue',
    async run(given, { asOwner }) {
      const queue = queueOf(given);
      const done = await asOwner((tx) => pauseQueue(tx, queue, given.option('reason') ?? null));
      return {
        json: { queue, paused: true, changed: done },
        text: done
          ? `Queue ${queue} paused. Running tasks continue; use 'queue drain' to wait for them.`
          : `Queue ${queue} was already paused.`,
      };
    },
  },
  {
    name: 'queue resume',
    args: ['QUEUE'],
    summary: 'resume a paused queue',
    async run(given, { asOwner }) {
      const queue = queueOf(given);
      const done = await asOwner((tx) => resumeQueue(tx, queue));
      return {
        json: { queue, paused: false, changed: done },
        text: done ? `Queue ${queue} resumed.` : `Queue ${queue} was not paused.`,
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
    async run(given, { asOwner, progress }) {
      const queue = queueOf(given);
      const end = performance.now() + (given.count('timeout') ?? 600) * 1_000;
      await asOwner((tx) => pauseQueue(tx, queue, 'drained'));
      let told: number | undefined;
      for (;;) {
        const running = await asOwner((tx) => countRunning(tx, queue));
        if (running !== told) progress(`${queue}: ${pluralise(running, 'running task')}`);
        told = running;
        const json = { queue, paused: true, running };
        if (running === 0) {
          return {
            json,
            text: `Queue ${queue} is drained and paused. Resume it with 'queue resume ${queue}'.`,
          };
        }
        if (performance.now() >= end) {
          const text = `Timeout: queue ${queue} still has ${pluralise(running, 'running task')} and remains paused.`;
          return { json, text, notWell: true };
        }
        await delay(Math.min(500, end - performance.now()));
      }
    },
  },
];

function queueOf(given: Given): QueueName {
  return given.oneOf('queue', given.arg('QUEUE'), queueNames);
}
