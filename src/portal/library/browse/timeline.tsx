import { memo } from 'preact/compat';
import { useCallback, useMemo, useRef } from 'preact/hooks';
import { pluralise } from '../../../contracts/pluralise.ts';
import type { MonthCount } from '../../../contracts/wire/library/objects.ts';
import { type Changes, dayUntil } from './filters/filters.ts';
import type { Results } from './results.ts';

/** Farther down, the list is limited to a month and what was added before it: pages load in order. */
const scrolledTo = 2_000;

const named = new Intl.DateTimeFormat(undefined, { month: 'short', timeZone: 'UTC' });

/** The months in which the results were added, in the order of the list; each leads there. */
export function Timeline(props: {
  results: Results;
  /** The index of the first visible item. */
  at: number;
  goTo: (index: number) => void;
  set: (changes: Changes) => void;
}) {
  const { results, at } = props;
  const isNewestFirst = results.sort === '-created_at';
  const isByTime = isNewestFirst || results.sort === 'created_at';
  const stops = useMemo(() => {
    const months = results.months ?? [];
    return stopsOf(isNewestFirst ? months : months.toReversed());
  }, [results.months, isNewestFirst]);
  const reach = isNewestFirst ? results.items.length + scrolledTo : Number.POSITIVE_INFINITY;
  const latest = useRef({ ...props, reach });
  latest.current = { ...props, reach };
  const go = useCallback(({ index, end }: Stop) => {
    if (index <= latest.current.reach) latest.current.goTo(index);
    else latest.current.set({ created_before: end });
  }, []);
  // Its place is kept until the months are known, so that the grid does not move.
  if (!isByTime) return null;
  const current = stops.findLast(({ index }) => index <= at);
  const within = stops.filter(({ index }) => index <= reach).length;
  return <Months stops={stops} current={current} within={within} onGo={go} />;
}

/** Rendered again when the month changes, not with each row that is scrolled to. */
const Months = memo(function Months(props: {
  stops: readonly Stop[];
  current: Stop | undefined;
  /** How many can be scrolled to; the list is limited to the others. */
  within: number;
  onGo: (stop: Stop) => void;
}) {
  const { stops, current, within, onGo } = props;
  return (
    <nav class="browse-timeline" aria-label="Months">
      <ol>
        {stops.map((stop, at) => (
          <li key={stop.month}>
            {stop.startsYear && <span class="browse-year">{stop.month.slice(0, 4)}</span>}
            <button
              type="button"
              aria-current={stop === current ? 'true' : undefined}
              title={`${pluralise(stop.count, 'item')}${at >= within ? `, until ${dayUntil(stop.end)}` : ''}`}
              onClick={() => onGo(stop)}
            >
              {named.format(new Date(`${stop.month}-01T00:00:00Z`))}
              <span class="visually-hidden">
                {' '}
                {stop.month.slice(0, 4)}, {pluralise(stop.count, 'item')}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
});

interface Stop extends MonthCount {
  /** The index of its first item. */
  index: number;
  /** The instant at which the month has ended. */
  end: string;
  startsYear: boolean;
}

function stopsOf(months: readonly MonthCount[]): Stop[] {
  let index = 0;
  return months.map((one, at) => {
    const stop = {
      ...one,
      index,
      end: endOf(one.month),
      startsYear: months[at - 1]?.month.slice(0, 4) !== one.month.slice(0, 4),
    };
    index += one.count;
    return stop;
  });
}

function endOf(month: string): string {
  const date = new Date(`${month}-01T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + 1);
  return date.toISOString();
}
