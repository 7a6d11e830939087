import { useEffect, useRef } from 'preact/hooks';
import type { EventRecord } from '../../../contracts/wire/events.ts';
import type { JobRecord } from '../../../contracts/wire/jobs.ts';
import type { LoadedList } from '../../api/hooks.ts';
import { ApiProblem, send } from '../../api/request.ts';
import { type StreamState, useStream } from '../../api/stream.ts';
import { useSession } from '../../shell/session.tsx';
import { getJob, streamEvents } from '../requests.ts';
import { hasEnded } from '../words.ts';

/** How many a list shows before more are asked for. */
export const pageSize = 25;
/** How often a list looks again where no events tell it, in milliseconds. */
const lookMs = 10_000;
/** Many that change at once are asked for once. */
const gatherMs = 300;
/** Of jobs that are not shown these are no reason to look again. */
const passing = ['progressed', 'operation_finished', 'cancel_requested', 'retried'];

/**
 * Keeps a list of jobs as they are: by the project's events where the key may read them, else by
 * looking again now and then while something runs.
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
      // What was loaded further down stays where the reader is.
      if (latest.current.items.length <= pageSize) {
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
    listens ? streamEvents('documents.job.*') : null,
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

  const runs = list.items.some((job) => !hasEnded(job));
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
