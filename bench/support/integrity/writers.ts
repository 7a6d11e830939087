import { setTimeout as delay } from 'node:timers/promises';
import type { NewEvent } from '../../../src/contracts/events.ts';
import { newId } from '../../../src/contracts/ids.ts';
import { systemOrigin } from '../../../src/contracts/origin.ts';
import type { Database } from '../../../src/db/database.ts';
import { DatabaseUnreachable, inProject } from '../../../src/db/transaction.ts';
import { record } from '../../../src/outbox/record.ts';
import type { Ledger, Marks } from './ledger.ts';

/** A chain of events about one resource, held by one writer at a time. */
interface Job {
  number: number;
  id: string;
  project: number;
  /** How many of its events are committed. */
  length: number;
}

/** Changes its mind: the transaction is undone. */
class SecondThoughts extends Error {}

const eventsOfAJob = 40;
const rollbackShare = 0.08;
const maxDelayMs = 8;

/**
 * Concurrent writers of so many committed events: transactions of one to five events of one or two
 * jobs, some of which are rolled back, with pauses before their commits so that what is recorded
 * early commits late. A job goes from writer to writer, each of which begins after the commit of the
 * one before. The fate of a transaction whose connection broke at its commit is left open.
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
  /** One that nobody holds, of a project where one is named. */
  const takeJob = (project?: number): Job => {
    if (idle.length < options.writers) return newJob(project);
    const [job] = idle.splice(Math.floor(random() * idle.length), 1);
    if (project === undefined || job!.project === project) return job!;
    idle.push(job!);
    return newJob(project);
  };

  /** One transaction; how many events it committed. */
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
      // In two statements now and then, with time between them for others to commit.
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
    // How far a job came whose commit was not answered is not known: it ends there.
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

/** The marks go where the schema of a job's progress has room for numbers. */
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

/** Reads them back. */
export function marksOf(data: Record<string, unknown>): Marks {
  return {
    event: Number(data.pages_total),
    place: Number(data.pages_completed),
    job: Number(data.pages_failed),
  };
}
