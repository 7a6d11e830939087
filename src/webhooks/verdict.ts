import type { DialResult } from './dialing/dial.ts';

/** What an exchange means for the message that was sent in it. */
interface Verdict {
  succeeded: boolean;
  /** What the receiver's developer is told; null when there is nothing to tell. */
  error: { code: string; message: string } | null;
}

/** 2xx is success and nothing else is: neither a redirect nor half an answer. */
export function judgeExchange(result: DialResult): Verdict {
  if (result.outcome === 'failed') {
    const { code, message } = result.error;
    return { succeeded: false, error: { code, message } };
  }
  const { status } = result;
  if (status >= 200 && status <= 299) return { succeeded: true, error: null };
  const message = `The endpoint answered ${status}; 2xx is success.`;
  return { succeeded: false, error: { code: 'status', message } };
}
