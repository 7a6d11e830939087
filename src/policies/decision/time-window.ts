import { type RuleParameters, type Weekday, weekdays } from '@scriptorium/contracts/rules';

type TimeWindow = RuleParameters<'time_window'>;

/** Whether a moment is within a weekly window, in the local time of the window's time zone. */
export function isInWindow(window: TimeWindow, moment: Date): boolean {
  const { day, minutes } = clockOf(window.time_zone, moment);
  const from = minutesOf(window.from);
  const to = minutesOf(window.to);
  const days: readonly Weekday[] = window.days ?? weekdays;
  if (from < to) return days.includes(day) && minutes >= from && minutes < to;
  // A window past midnight covers the evening of one day and the morning of the next.
  return minutes >= from ? days.includes(day) : minutes < to && days.includes(dayBefore(day));
}

/** Whether a name is that of a supported time zone. */
export function isTimeZone(name: string): boolean {
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

const formats = new Map<string, Intl.DateTimeFormat>();
const maxFormats = 500;

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    if (formats.size >= maxFormats) formats.clear();
    formats.set(timeZone, format);
  }
  return format;
}

function clockOf(timeZone: string, moment: Date): { day: Weekday; minutes: number } {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(moment)
      .map(({ type, value }) => [type, value]),
  );
  const name = parts.get('weekday')?.toLowerCase();
  const day = weekdays.find((one) => one === name);
  if (!day) throw new Error(`'${name}' is not a day of the week.`);
  return { day, minutes: Number(parts.get('hour')) * 60 + Number(parts.get('minute')) };
}

function minutesOf(clock: string): number {
  return Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
}

function dayBefore(day: Weekday): Weekday {
  return weekdays[(weekdays.indexOf(day) + 6) % 7]!;
}
