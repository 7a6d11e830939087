import { setTimeout as delay } from 'node:timers/promises';
import type { NewEvent } from '@scriptorium/contracts/events';
import { newId } from '@scriptorium/contracts/ids';
import { systemOrigin } from '@scriptorium/contracts/origin';
import type { Database } from '../../../../src/db/database.ts';
import { DatabaseUnreachable, inProject } from '../../../../src/db/transaction.ts';
import { record } from '../../../../src/outbox/record.ts';
import type { EventNumbers, Ledger } from './ledger.ts';

/** A chain of events about one resource, held by one writer at a time. */
interface Job {
  number: number;
  id: string;
  project: number;
  /** The number of its committed events. */
  length: number;
}

/** Thrown to roll back a transaction. */
class RollbackRequested extends Error {}

const eventsPerJob = 40;
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
  let jobCount = 0;
  let planned = 0;
  const newJob = (project = jobCount % projects.length): Job => ({
    number: jobCount++,
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
  const write = async (eventCount: number): Promise<number> => {
    const first = takeJob();
    const takenJobs = random() < 0.5 ? [first] : [first, takeJob(first.project)];
    const lengths = takenJobs.map(({ length }) => length);
    const numbers: EventNumbers[] = Array.from({ length: eventCount }, () => {
      const index = Math.floor(random() * takenJobs.length);
      const place = lengths[index]!++;
      return ledger.issue(takenJobs[index]!.number, place);
    });
    const events = numbers.map((number) => eventOf(number, takenJobs));
    const rollsBack = random() < rollbackShare;
    let commitRequested = false;
    const outcome = await inProject(database, projects[first.project]!, async (tx) => {
      const project = projects[first.project]!;
      // Sometimes in two statements, with time in between for others to commit.
      const splitAt = random() < 0.3 ? Math.floor(random() * events.length) : events.length;
      for (const part of [events.slice(0, splitAt), events.slice(splitAt)]) {
        if (part.length > 0) await record(tx, systemOrigin(project), ...part);
        await delay(random() * maxDelayMs);
      }
      if (rollsBack) throw new RollbackRequested();
      commitRequested = true;
    }).then(
      () => 'committed' as const,
      (error: unknown) => {
        if (
          error instanceof RollbackRequested ||
          error instanceof DatabaseUnreachable ||
          !commitRequested
        ) {
          return 'rolled_back' as const;
        }
        return 'unknown' as const;
      },
    );
    for (const { event } of numbers) ledger.settle(event, outcome);
    // The progress of a job whose commit was not confirmed is unknown: the job ends there.
    if (outcome === 'unknown') return 0;
    for (const [at, job] of takenJobs.entries()) {
      if (outcome === 'committed') job.length = lengths[at]!;
      if (job.length < eventsPerJob) idle.push(job);
    }
    return outcome === 'committed' ? eventCount : 0;
  };

  await Promise.all(
    Array.from({ length: options.writers }, async () => {
      while (planned < options.events) {
        const eventCount = Math.min(options.events - planned, 1 + Math.floor(random() * 5));
        planned += eventCount;
        const committed = await write(eventCount);
        planned -= eventCount - committed;
      }
    }),
  );
}

/** Creates an event that stores its numbers in numeric fields of a job's progress. */
function eventOf(numbers: EventNumbers, jobs: readonly Job[]): NewEvent {
  return {
    type: 'documents.job.progressed',
    resourceId: jobs.find(({ number }) => number === numbers.job)!.id,
    data: {
      percent: 0,
      pages_total: numbers.event,
      pages_completed: numbers.place,
      pages_failed: numbers.job,
    },
  };
}

/** Reads the marks of an event. */
export function numbersOf(data: Record<string, unknown>): EventNumbers {
  return {
    event: Number(data.pages_total),
    place: Number(data.pages_completed),
    job: Number(data.pages_failed),
  };
}
