import { useEffect, useMemo, useState } from 'preact/hooks';
import { useSession } from '../../../shell/session.tsx';
import { createReviewWork, type ReviewWork } from './review-work.ts';

/** Interval at which a claim is renewed while in use, in milliseconds; a claim lasts 30 minutes. */
const renewMs = 10 * 60_000;

/** Loads a review, and renders again when it changes. */
export function useReviewWork(id: string): ReviewWork {
  const [, setRenderCount] = useState(0);
  const work = useMemo(() => createReviewWork(id, () => setRenderCount((now) => now + 1)), [id]);
  useEffect(() => {
    void work.held.load();
    return work.held.stop;
  }, [work]);
  useClaimRenewal(work);
  return work;
}

/** Returns who has claimed the review: this session, another one, or no one. */
export function useClaim(work: ReviewWork): 'mine' | 'other' | 'none' {
  const { session } = useSession();
  const claimant = work.held.review?.claimed_by;
  if (!claimant) return 'none';
  return claimant.id === (session.user ?? session.key)?.id ? 'mine' : 'other';
}

function useClaimRenewal(work: ReviewWork): void {
  const isMine = useClaim(work) === 'mine' && work.held.review?.state === 'open';
  useEffect(() => {
    if (!isMine) return;
    let isActive = false;
    const markActive = (): void => {
      isActive = true;
    };
    window.addEventListener('pointerdown', markActive);
    window.addEventListener('keydown', markActive);
    const timer = window.setInterval(() => {
      if (isActive) void work.claim();
      isActive = false;
    }, renewMs);
    return () => {
      window.clearInterval(timer);
      window.removeEventListener('pointerdown', markActive);
      window.removeEventListener('keydown', markActive);
    };
  }, [work, isMine]);
}
