import type { DialResult } from '../../dialing/dial.ts';
import { nextDelaySeconds } from '../../retry-schedule.ts';
import type { ClaimedDelivery } from '../sending/claim.ts';

/** The outcome of one attempt. */
export interface SentAttempt {
  delivery: ClaimedDelivery;
  result: DialResult;
}

/** The effect of an attempt on its delivery. */
export interface AttemptVerdict extends SentAttempt {
  succeeded: boolean;
  error: { code: string; message: string } | null;
  /** Whether the receiver asked for no more messages. */
  gone: boolean;
  /** The state in which the delivery ends; null when it continues. */
  end: { state: 'succeeded' | 'exhausted' | 'skipped' | 'cancelled'; reason: string | null } | null;
  /** Whether no attempts are left because the last one of the schedule has failed. */
  exhausted: boolean;
  /**
   * Seconds until the next attempt of the schedule; null without a next attempt, or if it is
   * already set.
   */
  nextInSeconds: number | null;
  /** Whether it used a step of the schedule. */
  usesStep: boolean;
}

/** Evaluates a response. Only 2xx is a success: redirects and incomplete responses are failures. */
export function judgeExchange(result: DialResult): Pick<AttemptVerdict, 'succeeded' | 'error'> {
  if (result.outcome === 'failed') {
    const { code, message } = result.error;
    return { succeeded: false, error: { code, message } };
  }
  const { status } = result;
  if (status >= 200 && status <= 299) return { succeeded: true, error: null };
  const message = `The endpoint responded with ${status}; ${meaningOf(status)}`;
  return { succeeded: false, error: { code: 'status', message } };
}

/** The meaning of a status other than 2xx, for the receiver's developer. */
function meaningOf(status: number): string {
  if (status >= 300 && status <= 399) return 'redirects are not followed. Set the new URL.';
  if (status === 410) return 'which disables it. Enable it to receive events again.';
  if (status === 429)
    return 'it will be retried later. Set `max_per_second` to slow deliveries down.';
  return 'only 2xx is a success.';
}

/**
 * Evaluates an attempt: 2xx is success, 410 (or `webhook-delivery: disable`) disables the endpoint;
 * everything else is a failure, which uses a step of the schedule unless the attempt was manual or
 * a probe. After `webhook-delivery: abort-message` there are no more attempts.
 */
export function judgeAttempt(
  { delivery, result }: SentAttempt,
  schedule: readonly number[],
): AttemptVerdict {
  const status = result.outcome === 'answered' ? result.status : null;
  const { succeeded, error } = judgeExchange(result);
  const instruction = result.outcome === 'answered' ? result.instruction : undefined;
  const gone = status === 410 || instruction === 'disable';
  const common = {
    delivery,
    result,
    succeeded,
    error,
    gone,
    exhausted: false,
    nextInSeconds: null,
  };
  if (succeeded) {
    const end = { state: 'succeeded', reason: null } as const;
    return { ...common, end, usesStep: false };
  }
  if (instruction === 'abort') {
    const end = { state: 'exhausted', reason: 'aborted_by_receiver' } as const;
    return { ...common, end, exhausted: true, usesStep: true };
  }
  const { resumeState } = delivery;
  if (resumeState !== null) {
    const end = resumeState === 'pending' ? null : { state: resumeState, reason: null };
    return { ...common, end, usesStep: false };
  }
  if (delivery.trigger === 'probe' && !gone) return { ...common, end: null, usesStep: false };
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
  return { ...common, end, exhausted, nextInSeconds, usesStep: true };
}

/**
 * The verdict for an endpoint that is not disabled after all, because it has moved or was repaired
 * since the attempt began. A delivery that would have ended is due again immediately, without using a
 * step of the schedule.
 */
export function withoutDisabling(verdict: AttemptVerdict): AttemptVerdict {
  if (!verdict.gone) return verdict;
  const { end, error, result } = verdict;
  const changed = { ...verdict, gone: false };
  if (error && result.outcome === 'answered' && result.status === 410) {
    const message = 'The endpoint returned 410 but has changed since, so it was not disabled.';
    changed.error = { ...error, message };
  }
  if (end?.reason !== 'endpoint_gone') return changed;
  return { ...changed, end: null, exhausted: false, nextInSeconds: 0, usesStep: false };
}
