import { pluralise } from '@scriptorium/contracts/pluralise';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { ApiProblem, requestFor, send } from '../api/request.ts';
import { watchDocuments } from '../api/shared-stream.ts';
import { isFinished } from '../jobs/words.ts';
import { toast } from '../kit/toasts.tsx';
import { watchStored } from '../library/uploads/inbox.ts';
import { useSession } from '../shell/session.tsx';
import { followed, unfollow, watchFollowed } from './followed.ts';
import { notifyOutside } from './outside.ts';

const ends = /^documents\.(job|pack)\.(succeeded|partially_succeeded|failed|cancelled)$/;
/** Interval at which jobs are polled if events cannot be read, in milliseconds. */
const lookMs = 10_000;
/** Time within which finished uploads are reported together, in milliseconds. */
const togetherMs = 2_000;

/**
 * Reports the end of the jobs and packs that were started in this tab, unless their page is open:
 * within the page, and as a browser notification if permitted and the page is not visible. Part of
 * the shell.
 */
export function Notices() {
  const { can } = useSession();
  const [path, navigate] = useLocation();
  const here = useRef(path);
  here.current = path;
  const listens = can('events:read');
  const [isWaiting, setWaiting] = useState(() => followed().length > 0);
  useEffect(() => watchFollowed(() => setWaiting(followed().length > 0)), []);

  useEffect(() => {
    // Streams only while there is something to report: a stream would keep an idle session alive.
    if (!isWaiting) return;
    const tell = async (id: string): Promise<void> => {
      const place = `/${id.startsWith('job_') ? 'jobs' : 'packs'}/${id}`;
      const end = await endOf(id);
      // Still running, or already reported.
      if (end === undefined || !unfollow(id) || end === null) return;
      notifyOutside(end.text, id, () => navigate(place));
      if (here.current === place) return;
      toast(end.isGood ? 'good' : 'bad', end.text, { label: 'Open', href: place });
    };
    const look = (): void => {
      for (const id of followed()) void tell(id);
    };
    if (!listens) {
      look();
      const timer = window.setInterval(look, lookMs);
      return () => window.clearInterval(timer);
    }
    // For its user, a job that waits for its review has ended too.
    return watchDocuments(({ type, resource_id: id }) => {
      if (type.startsWith('documents.review.')) look();
      else if (ends.test(type) && followed().includes(id)) void tell(id);
    }, look);
  }, [listens, isWaiting]);

  useEffect(() => {
    let count = 0;
    let timer: number | undefined;
    const stop = watchStored(({ objectId }) => {
      if (objectId) count += 1;
      window.clearTimeout(timer);
      timer = window.setTimeout(() => {
        // In the page, the tray shows them.
        if (count > 0) {
          notifyOutside(`${pluralise(count, 'file')} uploaded.`, 'uploads', () =>
            navigate('/library'),
          );
        }
        count = 0;
      }, togetherMs);
    });
    return () => {
      stop();
      window.clearTimeout(timer);
    };
  }, []);
  return null;
}

interface End {
  text: string;
  isGood: boolean;
}

/** Returns the outcome of a job or pack; undefined while it runs, null if it cannot be read. */
async function endOf(id: string): Promise<End | null | undefined> {
  try {
    if (!id.startsWith('job_')) {
      const { data: pack } = await send(requestFor('getPack', { id }));
      return isFinished(pack) ? endIn(pack.name, 'Pack', pack.state) : undefined;
    }
    const { data: job } = await send(requestFor('getJob', { id }));
    if (!isFinished(job) && job.state !== 'awaiting_review') return undefined;
    return endIn(await nameOf(job.source_object_id), 'Job', job.state);
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error;
    return error.status === 404 || error.status === 403 ? null : undefined;
  }
}

function endIn(name: string | null, what: string, state: string): End {
  const how = state === 'awaiting_review' ? 'waits for a review' : state.replaceAll('_', ' ');
  const text = `${what}${name ? ` of ${name}` : ''} ${how}.`;
  return { text, isGood: state === 'succeeded' || state === 'awaiting_review' };
}

async function nameOf(objectId: string): Promise<string | null> {
  try {
    return (await send(requestFor('getObject', { id: objectId }))).data.filename;
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error;
    return null;
  }
}
