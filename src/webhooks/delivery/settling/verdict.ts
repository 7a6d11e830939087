import type { DialResult } from '../../dialing/dial.ts';
import { nextDelaySeconds } from '../../schedule.ts';
import type { ClaimedDelivery } from '../sending/claim.ts';

/** What came of one attempt. */
export interface Sent {
  delivery: ClaimedDelivery;
  result: DialResult;
}

/** What an attempt means for its delivery. */
export interface Verdict extends Sent {
  succeeded: boolean;
  error: { code: string; message: string } | null;
  /** The receiver wants nothing more, ever. */
  gone: boolean;
  /** How the delivery ends by it; null when it goes on. */
  end: { state: 'succeeded' | 'exhausted' | 'skipped' | 'cancelled'; reason: string | null } | null;
  /** It was given up: the last attempt of the schedule has failed. */
  exhausted: boolean;
  /** Seconds until the next attempt of the schedule; null when there is none, or it stands already. */
  nextInSeconds: number | null;
  /** It used a step of the schedule. */
  usesStep: boolean;
}

/** 2xx is success and nothing else is: neither a redirect nor half an answer. */
export function judgeExchange(result: DialResult): Pick<Verdict, 'succeeded' | 'error'> {
  if (result.outcome === 'failed') {
    const { code, message } = result.error;
    return { succeeded: false, error: { code, message } };
  }
  const { status } = result;
  if (status >= 200 && status <= 299) return { succeeded: true, error: null };
  const message = `The endpoint answered ${status}; ${meaningOf(status)}`;
  return { succeeded: false, error: { code: 'status', message } };
}

/** What a status other than success means here, for the receiver's developer. */
function meaningOf(status: number): string {
  if (status >= 300 && status <= 399) return 'redirects are not followed: set the new URL.';
  if (status === 410) return 'that disables it: enable it to have events again.';
  if (status === 429) return 'it is tried again later; max_per_second slows it down for good.';
  return '2xx is success.';
}

/**
 * Judges an attempt: 2xx is success, 410 (or `webhook-delivery: disable`) the end of the endpoint;
 * everything else is a failure, which uses a step of the schedule unless somebody asked for the
 * attempt, or it was a probe. With `webhook-delivery: abort-message` it was the last one.
 */
export function judge({ delivery, result }: Sent, schedule: readonly number[]): Verdict {
  const status = result.outcome === 'answered' ? result.status : null;
  const { succeeded, error } = judgeExchange(result);
  const instruction = result.outcome === 'answered' ? result.instruction : undefined;
  const gone = status === 410 || instruction === 'disable';
  const plain = { delivery, result, succeeded, error, gone, exhausted: false, nextInSeconds: null };
  if (succeeded) {
    const end = { state: 'succeeded', reason: null } as const;
    return { ...plain, end, usesStep: false };
  }
  if (instruction === 'abort') {
    const end = { state: 'exhausted', reason: 'aborted_by_receiver' } as const;
    return { ...plain, end, exhausted: true, usesStep: true };
  }
  const { resumeState } = delivery;
  if (resumeState !== null) {
    const end = resumeState === 'pending' ? null : { state: resumeState, reason: null };
    return { ...plain, end, usesStep: false };
  }
  if (delivery.trigger === 'probe' && !gone) return { ...plain, end: null, usesStep: false };
  const nextInSeconds = gone
    ? null
    : nextDelaySeconds({
        failures: delivery.failures + 1,
        schedule,
        random: Math.random,
        retryAfterSeconds: result.outcome === 'answered' ? result.retryAfterSeconds : undefined,
      });
  const exhausted = nextInSeconds === null;
  const reason = gone ? 'endpoint_gone' : null;
  const end = exhausted ? ({ state: 'exhausted', reason } as const) : null;
  return { ...plain, end, exhausted, nextInSeconds, usesStep: true };
}
