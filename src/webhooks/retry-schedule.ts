/**
 * Computes when the next attempt of a delivery is due. Pure: time and randomness are arguments; the due
 * time is computed by the clock of the database.
 */

/** Seconds between an attempt's failure and the next: Standard Webhooks' ten attempts, about 75 h. */
export const DEFAULT_SCHEDULE: readonly number[] = [
  0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400,
];

/** The longest wait that a receiver's `Retry-After` can request: 24 h. */
const MAX_RETRY_AFTER_SECONDS = 86_400;

const JITTER = 0.2;
const MAX_STEPS = 50;
const MAX_STEP_SECONDS = 7 * 86_400;

/** An operator's schedule is invalid. */
export class ScheduleError extends Error {
  override readonly name = 'ScheduleError';
}

/**
 * Seconds from this failure to the next attempt, or null when the schedule is exhausted.
 *
 * `failures` is how many attempts have failed so far, including this one; `schedule[n]` is the wait
 * before attempt n + 1. Waits vary by ±20 %, so that receivers that failed together are not retried
 * together. `Retry-After` (seconds) lengthens the wait, up to 24 h, and never shortens it. `random`
 * returns a number in [0, 1).
 */
export function nextDelaySeconds(input: {
  failures: number;
  retryAfterSeconds?: number | undefined;
  schedule: readonly number[];
  random: () => number;
}): number | null {
  const { failures, retryAfterSeconds, schedule, random } = input;
  if (!Number.isInteger(failures) || failures < 0) {
    throw new ScheduleError(`failures must be a whole number from 0, not ${failures}.`);
  }
  const step = schedule[failures];
  if (step === undefined) return null;
  const jittered = step * (1 - JITTER + 2 * JITTER * random());
  const requestedDelay =
    retryAfterSeconds !== undefined && retryAfterSeconds > 0
      ? Math.min(retryAfterSeconds, MAX_RETRY_AFTER_SECONDS)
      : 0;
  return Math.max(jittered, requestedDelay);
}

/**
 * Reads an operator's schedule, such as `0,1,2`: seconds before each attempt, including the first.
 * Decimals are allowed, for tests.
 * @throws ScheduleError when a step is not a number, negative or over 7 days, or when there are no
 *   steps or more than 50
 */
export function parseSchedule(text: string): number[] {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.length > MAX_STEPS) {
    throw new ScheduleError(
      `The retry schedule has ${parts.length} steps; at most ${MAX_STEPS} are allowed.`,
    );
  }
  return parts.map((part) => {
    const seconds = /^\d{1,7}(\.\d{1,3})?$/.test(part) ? Number(part) : Number.NaN;
    if (Number.isNaN(seconds) || seconds > MAX_STEP_SECONDS) {
      throw new ScheduleError(
        `The retry schedule has the step ${JSON.stringify(part)}; give seconds from 0 to ${MAX_STEP_SECONDS}, separated by commas, such as 0,5,300.`,
      );
    }
    return seconds;
  });
}

/**
 * Reads a `Retry-After` header (RFC 9110 §10.2.3) as seconds from `now` (ms since the epoch, by the
 * clock of the sender): whole seconds, or an HTTP-date in any of its three forms. Undefined if it is
 * absent or invalid; 0 for a past date; at most 24 h.
 */
export function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  const text = value?.trim();
  if (text === undefined || text === '' || text.length > 64) return undefined;
  if (/^\d+$/.test(text)) return Math.min(Number(text), MAX_RETRY_AFTER_SECONDS);
  const date = parseHttpDate(text, now);
  if (date === undefined) return undefined;
  return Math.min(Math.max(0, Math.ceil((date - now) / 1000)), MAX_RETRY_AFTER_SECONDS);
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const IMF = /^[a-z]{3}, (\d{2}) ([a-z]{3}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) gmt$/i;
const RFC850 = /^[a-z]{6,9}, (\d{2})-([a-z]{3})-(\d{2}) (\d{2}):(\d{2}):(\d{2}) gmt$/i;
const ASCTIME = /^[a-z]{3} ([a-z]{3}) ([ \d]\d) (\d{2}):(\d{2}):(\d{2}) (\d{4})$/i;

/**
 * Milliseconds since 1970 of an HTTP-date in any of its three forms; undefined if it is invalid.
 * Date.parse would also accept "1" or "2020", which are not dates, and read local times as local.
 */
export function parseHttpDate(text: string, now: number): number | undefined {
  const asctime = ASCTIME.exec(text);
  const parts = asctime
    ? [asctime[2], asctime[1], asctime[6], asctime[3], asctime[4], asctime[5]]
    : (IMF.exec(text) ?? RFC850.exec(text))?.slice(1);
  if (!parts) return undefined;
  const [day, monthName, yearText, hour, minute, second] = parts;
  const month = MONTHS.indexOf((monthName ?? '').toLowerCase());
  if (month < 0) return undefined;
  let year = Number(yearText);
  if (yearText?.length === 2) {
    // RFC 9110 §5.6.7: a two-digit year over 50 years ahead is in the past.
    const thisYear = new Date(now).getUTCFullYear();
    year += thisYear - (thisYear % 100);
    if (year > thisYear + 50) year -= 100;
  }
  const fields = [Number(day), Number(hour), Number(minute), Number(second)] as const;
  const date = Date.UTC(year, month, fields[0], fields[1], fields[2], fields[3]);
  const parsed = new Date(date);
  const isReal =
    parsed.getUTCDate() === fields[0] && fields[1] < 24 && fields[2] < 60 && fields[3] <= 60;
  return isReal ? date : undefined;
}
