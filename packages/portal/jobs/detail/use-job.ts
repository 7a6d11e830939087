import type { JobRecord, PageStates } from '@scriptorium/contracts/wire/jobs';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type LoadedResource, useResource } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { type StreamState, useStream } from '../../api/stream.ts';
import { isFinished } from '../job-display.ts';

/** The minimum time between requests for the page states, in milliseconds. */
const minReloadIntervalMs = 500;

/** A job, updated by its stream until it ends. */
export function useJob(id: string): LoadedResource<JobRecord> & { stream: StreamState } {
  const resource = useResource(requestFor('getJob', { id }));
  const job = resource.data;
  const streamedRequest = job && !isFinished(job) ? requestFor('getJob', { id }) : null;
  const stream = useStream(streamedRequest, ['job'], (_, data) => {
    // The stream sends the same record as `GET`.
    resource.replace({ data: data as JobRecord, etag: null });
  });
  return { ...resource, stream };
}

/** The states of a job's pages, reloaded when the version of the job changes. */
export function usePageStates(id: string, version: number | undefined): LoadedResource<PageStates> {
  const resource = useResource(requestFor('getJobPageStates', { id }));
  const { reload } = resource;
  const lastLoad = useRef({ at: performance.now(), version });
  lastLoad.current.version ??= version;
  const timer = useRef<number | undefined>(undefined);
  const [, setCheckCount] = useState(0);
  useEffect(() => {
    if (lastLoad.current.version === version || timer.current !== undefined) return;
    const wait = Math.max(0, lastLoad.current.at + minReloadIntervalMs - performance.now());
    timer.current = window.setTimeout(() => {
      timer.current = undefined;
      lastLoad.current = { at: performance.now(), version: latestVersion.current };
      reload();
      // Checks again for changes made while waiting.
      setCheckCount((now) => now + 1);
    }, wait);
  });
  const latestVersion = useRef(version);
  latestVersion.current = version;
  useEffect(() => () => window.clearTimeout(timer.current), []);
  return resource;
}
