import { setTimeout as delay } from 'node:timers/promises';
import type { QueueName } from '../contracts/queues.ts';
import { pauseQueue, resumeQueue } from '../outbox/pause.ts';
import { countRunning, readQueues } from '../outbox/queue-state.ts';
import { workQueues } from '../outbox/relay/hand-over.ts';
import { type Command, type Given, table } from './command.ts';

export const queueCommands: Command[] = [
  {
    name: 'queue list',
    summary: 'what waits and runs, who works on it, and the hints in Redis',
    async run(_given, means) {
      const [states, hints] = [await means.asOwner(readQueues), await means.hints()];
      const all = states.map((state) => ({ ...state, hints: hints?.[state.queue] ?? null }));
      const rows = all.map((each) => [
        each.queue,
        each.paused_at ? 'paused' : 'on',
        each.due,
        each.oldest_due_seconds === null ? '-' : `${each.oldest_due_seconds} s`,
        each.later,
        each.running,
        each.workers,
        each.slots,
        each.hints?.waiting,
        each.hints?.active,
      ]);
      const headings = ['QUEUE', 'IS', 'DUE', 'OLDEST', 'LATER', 'RUNNING', 'WORKERS', 'SLOTS'];
      const told = table([...headings, 'HINTS WAITING', 'HINTS TAKEN'], rows);
      return {
        json: { queues: all, redis: hints !== null },
        text: hints === null ? `${told}\n\nRedis is not configured or does not answer.` : told,
      };
    },
  },
  {
    name: 'queue pause',
    args: ['QUEUE'],
    options: { reason: { value: 'TEXT', summary: 'for those who find it paused' } },
    summary: 'nothing more of it is begun, until it is resumed',
    async run(given, { asOwner }) {
      const queue = queueOf(given);
      const done = await asOwner((tx) => pauseQueue(tx, queue, given.option('reason') ?? null));
      return {
        json: { queue, paused: true, changed: done },
        text: done
          ? `${queue} is paused. What runs goes on; queue drain waits for it.`
          : `${queue} was paused already.`,
      };
    },
  },
  {
    name: 'queue resume',
    args: ['QUEUE'],
    summary: 'goes on with it',
    async run(given, { asOwner }) {
      const queue = queueOf(given);
      const done = await asOwner((tx) => resumeQueue(tx, queue));
      return {
        json: { queue, paused: false, changed: done },
        text: done ? `${queue} goes on.` : `${queue} was not paused.`,
      };
    },
  },
  {
    name: 'queue drain',
    args: ['QUEUE'],
    options: {
      timeout: { value: 'SECONDS', summary: 'how long to wait at most; 600 unless said' },
    },
    summary: 'pauses it and waits until nothing of it runs',
    async run(given, { asOwner, progress }) {
      const queue = queueOf(given);
      const end = Date.now() + (given.count('timeout') ?? 600) * 1_000;
      await asOwner((tx) => pauseQueue(tx, queue, 'drained'));
      let told: number | undefined;
      for (;;) {
        const running = await asOwner((tx) => countRunning(tx, queue));
        if (running !== told) progress(`${queue}: ${running} running`);
        told = running;
        const json = { queue, paused: true, running };
        if (running === 0) {
          return { json, text: `${queue} is drained, and paused until queue resume ${queue}.` };
        }
        if (Date.now() >= end) {
          const text = `${running} of ${queue} still run; it stays paused.`;
          return { json, text, notWell: true };
        }
        await delay(Math.min(500, end - Date.now()));
      }
    },
  },
];

function queueOf(given: Given): QueueName {
  return given.oneOf('queue', given.arg('QUEUE'), workQueues);
}
