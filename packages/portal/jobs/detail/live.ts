import type { JobRecord, PageStates } from '@scriptorium/contracts/wire/jobs';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Loaded, useAnswer } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { type StreamState, useStream } from '../../api/stream.ts';
import { isFinished } from '../words.ts';

/** The minimum time between requests for the page states, in milliseconds. */
const statesMs = 500;

/** A job, updated by its stream until it ends. */
export function useJob(id: string): Loaded<JobRecord> & { stream: StreamState } {
  const loaded = useAnswer(requestFor('getJob', { id }));
  const job = loaded.data;
  const watched = job && !isFinished(job) ? requestFor('getJob', { id }) : null;
  const stream = useStream(watched, ['job'], (_, data) => {
    // The stream sends the same record as `GET`.
    loaded.put({ data: data as JobRecord, etag: null });
  });
  return { ...loaded, stream };
}

/** The states of a job's pages, reloaded when the version of the job changes. */
export function usePageStates(id: string, version: number | undefined): Loaded<PageStates> {
  const loaded = useAnswer(requestFor('getJobPageStates', { id }));
  const { reload } = loaded;
  const last = useRef({ at: performance.now(), version });
  last.current.version ??= version;
  const timer = useRef<number | undefined>(undefined);
  const [, setRound] = useState(0);
  useEffect(() => {
    if (last.current.version === version || timer.current !== undefined) return;
    const wait = Math.max(0, last.current.at + statesMs - performance.now());
    timer.current = window.setTimeout(() => {
      timer.current = undefined;
      last.current = { at: performance.now(), version: latest.current };
      reload();
      // Checks again for changes made while waiting.
      setRound((now) => now + 1);
    }, wait);
  });
  const latest = useRef(version);
  latest.current = version;
  useEffect(() => () => window.clearTimeout(timer.current), []);
  return loaded;
}
