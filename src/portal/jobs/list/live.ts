import { useEffect, useRef } from 'preact/hooks';
import type { EventRecord } from '../../../contracts/wire/events.ts';
import type { JobRecord } from '../../../contracts/wire/jobs.ts';
import type { LoadedList } from '../../api/hooks.ts';
import { ApiProblem, send } from '../../api/request.ts';
import { type StreamState, useStream } from '../../api/stream.ts';
import { useSession } from '../../shell/session.tsx';
import { getJob, streamJobEvents } from '../requests.ts';
import { isFinished } from '../words.ts';

/** The number of jobs per page. */
export const jobsPerPage = 25;
/** How often to poll without an event stream, in milliseconds. */
const lookMs = 10_000;
/** Changes within this time, in milliseconds, are loaded together. */
const gatherMs = 300;
/** Events that do not concern jobs outside the list. */
const passing = ['progressed', 'operation_finished', 'cancel_requested', 'retried'];

/**
 * Keeps a list of jobs current: with the project's events if the key can read them, otherwise by
 * polling while jobs are running.
 */
export function useLiveJobs<P>(list: LoadedList<JobRecord, P>): StreamState {
  const { can } = useSession();
  const listens = can('events:read');
  const latest = useRef(list);
  latest.current = list;
  const changed = useRef(new Set<string>());
  const isNew = useRef(false);
  const timer = useRef<number | undefined>(undefined);

  const flush = async (): Promise<void> => {
    timer.current = undefined;
    const ids = [...changed.current];
    changed.current.clear();
    if (isNew.current) {
      isNew.current = false;
      // Do not reset a list that was extended.
      if (latest.current.items.length <= jobsPerPage) {
        latest.current.reload();
        return;
      }
    }
    for (const id of ids) {
      try {
        const { data: job } = await send(getJob(id));
        latest.current.edit((items) => items.map((one) => (one.id === id ? newer(one, job) : one)));
      } catch (error) {
        if (!(error instanceof ApiProblem)) throw error;
      }
    }
  };
  const state = useStream(
    listens ? streamJobEvents('documents.job.*') : null,
    ['message'],
    (_, data) => {
      const event = data as EventRecord;
      const { type, resource_id: id } = event;
      if (latest.current.items.some((job) => job.id === id)) changed.current.add(id);
      else if (passing.some((one) => type === `documents.job.${one}`)) return;
      else isNew.current = true;
      timer.current ??= window.setTimeout(() => void flush(), gatherMs);
    },
  );
  useEffect(() => () => window.clearTimeout(timer.current), []);

  const runs = list.items.some((job) => !isFinished(job));
  useEffect(() => {
    if (listens || !runs) return;
    const look = window.setInterval(() => latest.current.reload(), lookMs);
    return () => window.clearInterval(look);
  }, [listens, runs]);
  return state;
}

function newer(one: JobRecord, other: JobRecord): JobRecord {
  return other.version > one.version ? other : one;
}
