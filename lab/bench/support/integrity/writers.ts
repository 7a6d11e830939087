import { setTimeout as delay } from 'node:timers/promises';
import type { NewEvent } from '@scriptorium/contracts/events';
import { newId } from '@scriptorium/contracts/ids';
import { systemOrigin } from '@scriptorium/contracts/origin';
import type { Database } from '../../../../src/db/database.ts';
import { DatabaseUnreachable, inProject } from '../../../../src/db/transaction.ts';
import { record } from '../../../../src/outbox/record.ts';
import type { Ledger, Marks } from './ledger.ts';

/** A chain of events about one resource, held by one writer at a time. */
interface Job {
  number: number;
  id: string;
  project: number;
  /** The number of its committed events. */
  length: number;
}

/** Thrown to roll back a transaction. */
class SecondThoughts extends Error {}

const eventsOfAJob = 40;
const rollbackShare = 0.08;
const maxDelayMs = 8;

/**
 * Concurrent writers of this many committed events: transactions of one to five events of one or
 * two jobs, some of which are rolled back, with pauses before their commits so that some events are
 * recorded early and committed late. A job passes from writer to writer, each starting after the
 * previous commit. The outcome of a transaction whose connection broke at its commit is unknown at
 * first.
 */
export async function runWriters(options: {
  database: Database;
  projects: readonly string[];
  ledger: Ledger;
  writers: number;
  events: number;
  random: () => number;
}): Promise<void> {
  const { database, projects, ledger, random } = options;
  const idle: Job[] = [];
  let jobs = 0;
  let planned = 0;
  const newJob = (project = jobs % projects.length): Job => ({
    number: jobs++,
    id: newId('job'),
    project,
    length: 0,
  });
  /** Takes a job that no writer holds, of this project if given. */
  const takeJob = (project?: number): Job => {
    if (idle.length < options.writers) return newJob(project);
    const [job] = idle.splice(Math.floor(random() * idle.length), 1);
    if (project === undefined || job!.project === project) return job!;
    idle.push(job!);
    return newJob(project);
  };

  /** Makes one transaction; returns how many events it committed. */
  const write = async (wanted: number): Promise<number> => {
    const first = takeJob();
    const held = random() < 0.5 ? [first] : [first, takeJob(first.project)];
    const lengths = held.map(({ length }) => length);
    const marks: Marks[] = Array.from({ length: wanted }, () => {
      const which = Math.floor(random() * held.length);
      const place = lengths[which]!++;
      return ledger.issue(held[which]!.number, place);
    });
    const events = marks.map((mark) => eventOf(mark, held));
    const undone = random() < rollbackShare;
    let asked = false;
    const fate = await inProject(database, projects[first.project]!, async (tx) => {
      const project = projects[first.project]!;
      // Sometimes in two statements, with time in between for others to commit.
      const cut = random() < 0.3 ? Math.floor(random() * events.length) : events.length;
      for (const part of [events.slice(0, cut), events.slice(cut)]) {
        if (part.length > 0) await record(tx, systemOrigin(project), ...part);
        await delay(random() * maxDelayMs);
      }
      if (undone) throw new SecondThoughts();
      asked = true;
    }).then(
      () => 'committed' as const,
      (error: unknown) => {
        if (error instanceof SecondThoughts || error instanceof DatabaseUnreachable || !asked) {
          return 'rolled_back' as const;
        }
        return 'unknown' as const;
      },
    );
    for (const { event } of marks) ledger.settle(event, fate);
    // The progress of a job whose commit was not confirmed is unknown: the job ends there.
    if (fate === 'unknown') return 0;
    for (const [at, job] of held.entries()) {
      if (fate === 'committed') job.length = lengths[at]!;
      if (job.length < eventsOfAJob) idle.push(job);
    }
    return fate === 'committed' ? wanted : 0;
  };

  await Promise.all(
    Array.from({ length: options.writers }, async () => {
      while (planned < options.events) {
        const wanted = Math.min(options.events - planned, 1 + Math.floor(random() * 5));
        planned += wanted;
        const committed = await write(wanted);
        planned -= wanted - committed;
      }
    }),
  );
}

/** The marks are stored in numeric fields of a job's progress. */
function eventOf(marks: Marks, jobs: readonly Job[]): NewEvent {
  return {
    type: 'documents.job.progressed',
    resourceId: jobs.find(({ number }) => number === marks.job)!.id,
    data: {
      percent: 0,
      pages_total: marks.event,
      pages_completed: marks.place,
      pages_failed: marks.job,
    },
  };
}

/** Reads the marks of an event. */
export function marksOf(data: Record<string, unknown>): Marks {
  return {
    event: Number(data.pages_total),
    place: Number(data.pages_completed),
    job: Number(data.pages_failed),
  };
}
