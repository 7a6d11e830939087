import { useEffect, useMemo, useState } from 'preact/hooks';
import { useSession } from '../../../shell/session.tsx';
import { type Work, workOn } from './work.ts';

/** Interval at which a claim is renewed while in use, in milliseconds; a claim lasts 30 minutes. */
const renewMs = 10 * 60_000;

/** Loads a review, and renders again when it changes. */
export function useWork(id: string): Work {
  const [, setRound] = useState(0);
  const work = useMemo(() => workOn(id, () => setRound((now) => now + 1)), [id]);
  useEffect(() => {
    void work.held.load();
    return work.held.stop;
  }, [work]);
  useRenewal(work);
  return work;
}

/** Whether this session holds the review. */
export function useHold(work: Work): 'mine' | 'other' | 'none' {
  const { session } = useSession();
  const holder = work.held.review?.claimed_by;
  if (!holder) return 'none';
  return holder.id === (session.user ?? session.key)?.id ? 'mine' : 'other';
}

function useRenewal(work: Work): void {
  const isMine = useHold(work) === 'mine' && work.held.review?.state === 'open';
  useEffect(() => {
    if (!isMine) return;
    let isActive = false;
    const note = (): void => {
      isActive = true;
    };
    window.addEventListener('pointerdown', note);
    window.addEventListener('keydown', note);
    const timer = window.setInterval(() => {
      if (isActive) void work.claim();
      isActive = false;
    }, renewMs);
    return () => {
      window.clearInterval(timer);
      window.removeEventListener('pointerdown', note);
      window.removeEventListener('keydown', note);
    };
  }, [work, isMine]);
}
