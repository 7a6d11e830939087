import { pluralise } from '@scriptorium/contracts/pluralise';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { ApiProblem, requestFor, send } from '../api/request.ts';
import { watchDocumentEvents } from '../api/shared-stream.ts';
import { isFinished } from '../jobs/job-display.ts';
import { toast } from '../kit/toasts.tsx';
import { watchStored } from '../library/uploads/upload-events.ts';
import { useSession } from '../shell/session.tsx';
import { showBrowserNotification } from './browser-notification.ts';
import { followedIds, unfollow, watchFollowed } from './followed-ids.ts';

const endTypes = /^documents\.(job|pack)\.(succeeded|partially_succeeded|failed|cancelled)$/;
/** Interval at which jobs are polled if events cannot be read, in milliseconds. */
const pollIntervalMs = 10_000;
/** Time within which finished uploads are reported together, in milliseconds. */
const batchDelayMs = 2_000;

/**
 * Reports the end of jobs and packs that were started in this tab: in a toast unless their page is
 * open, and as a browser notification if permitted and the page does not have the focus. Part of
 * the shell.
 */
export function Notices() {
  const { can } = useSession();
  const [path, navigate] = useLocation();
  const currentPath = useRef(path);
  currentPath.current = path;
  const canReadEvents = can('events:read');
  const [hasFollowed, setHasFollowed] = useState(() => followedIds().length > 0);
  useEffect(() => watchFollowed(() => setHasFollowed(followedIds().length > 0)), []);

  useEffect(() => {
    // Streams only while there is something to report: a stream would keep an idle session alive.
    if (!hasFollowed) return;
    const report = async (id: string): Promise<void> => {
      const pagePath = `/${id.startsWith('job_') ? 'jobs' : 'packs'}/${id}`;
      const outcome = await fetchOutcome(id);
      // Still running, or already reported.
      if (outcome === undefined || !unfollow(id) || outcome === null) return;
      showBrowserNotification(outcome.text, id, () => navigate(pagePath));
      if (currentPath.current === pagePath) return;
      toast(outcome.isGood ? 'good' : 'bad', outcome.text, { label: 'Open', href: pagePath });
    };
    const reportAll = (): void => {
      for (const id of followedIds()) void report(id);
    };
    if (!canReadEvents) {
      reportAll();
      const timer = window.setInterval(reportAll, pollIntervalMs);
      return () => window.clearInterval(timer);
    }
    // To the user, a job that waits for a review has ended too.
    return watchDocumentEvents(({ type, resource_id: id }) => {
      if (type.startsWith('documents.review.')) reportAll();
      else if (endTypes.test(type) && followedIds().includes(id)) void report(id);
    }, reportAll);
  }, [canReadEvents, hasFollowed]);

  useEffect(() => {
    let count = 0;
    let timer: number | undefined;
    const stopWatching = watchStored(({ objectId }) => {
      if (objectId) count += 1;
      window.clearTimeout(timer);
      timer = window.setTimeout(() => {
        // While the page has the focus, only the upload tray shows them.
        if (count > 0) {
          showBrowserNotification(`${pluralise(count, 'file')} uploaded.`, 'uploads', () =>
            navigate('/library'),
          );
        }
        count = 0;
      }, batchDelayMs);
    });
    return () => {
      stopWatching();
      window.clearTimeout(timer);
    };
  }, []);
  return null;
}

interface Outcome {
  text: string;
  isGood: boolean;
}

/** Returns the outcome of a job or pack; undefined while it runs, null if it cannot be read. */
async function fetchOutcome(id: string): Promise<Outcome | null | undefined> {
  try {
    if (!id.startsWith('job_')) {
      const { data: pack } = await send(requestFor('getPack', { id }));
      return isFinished(pack) ? outcomeOf(pack.name, 'Pack', pack.state) : undefined;
    }
    const { data: job } = await send(requestFor('getJob', { id }));
    if (!isFinished(job) && job.state !== 'awaiting_review') return undefined;
    return outcomeOf(await fetchFilename(job.source_object_id), 'Job', job.state);
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error;
    return error.status === 404 || error.status === 403 ? null : undefined;
  }
}

function outcomeOf(name: string | null, kind: string, state: string): Outcome {
  const predicate = state === 'awaiting_review' ? 'waits for a review' : state.replaceAll('_', ' ');
  const text = `${kind}${name ? ` of ${name}` : ''} ${predicate}.`;
  return { text, isGood: state === 'succeeded' || state === 'awaiting_review' };
}

async function fetchFilename(objectId: string): Promise<string | null> {
  try {
    return (await send(requestFor('getObject', { id: objectId }))).data.filename;
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error;
    return null;
  }
}
