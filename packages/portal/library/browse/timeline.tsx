import { pluralise } from '@scriptorium/contracts/pluralise';
import type { MonthCount } from '@scriptorium/contracts/wire/library/objects';
import { memo } from 'preact/compat';
import { useCallback, useMemo, useRef } from 'preact/hooks';
import { useRootClass } from '../../kit/use-root-class.ts';
import type { Results } from './results.ts';

const monthFormat = new Intl.DateTimeFormat(undefined, { month: 'short', timeZone: 'UTC' });

/**
 * The months in which the results were added, in the order of the list; each scrolls to its items.
 */
export function Timeline(props: {
  results: Results;
  /** The index of the first visible item. */
  firstVisibleIndex: number;
  goTo: (index: number) => void;
}) {
  const { results, firstVisibleIndex } = props;
  const isNewestFirst = results.sort === '-created_at';
  const isByTime = isNewestFirst || results.sort === 'created_at';
  const stops = useMemo(() => {
    const months = results.months ?? [];
    return stopsOf(isNewestFirst ? months : months.toReversed());
  }, [results.months, isNewestFirst]);
  const latest = useRef(props);
  latest.current = props;
  const goToMonth = useCallback(({ index }: Stop) => latest.current.goTo(index), []);
  // Its space is reserved until the months are known, so that the grid does not move.
  if (!isByTime) return null;
  const current = stops.findLast(({ index }) => index <= firstVisibleIndex);
  return <Months stops={stops} current={current} onGo={goToMonth} />;
}

/** Rendered again when the month changes, not for each row while scrolling. */
const Months = memo(function Months(props: {
  stops: readonly Stop[];
  current: Stop | undefined;
  onGo: (stop: Stop) => void;
}) {
  const { stops, current, onGo } = props;
  useRootClass('with-months');
  return (
    <nav class="browse-timeline" aria-label="Months">
      <ol>
        {stops.map((stop) => (
          <li key={stop.month}>
            {stop.startsYear && <span class="browse-year">{stop.month.slice(0, 4)}</span>}
            <button
              type="button"
              aria-current={stop === current ? 'true' : undefined}
              title={pluralise(stop.count, 'item')}
              onClick={() => onGo(stop)}
            >
              {monthFormat.format(new Date(`${stop.month}-01T00:00:00Z`))}
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
  startsYear: boolean;
}

function stopsOf(months: readonly MonthCount[]): Stop[] {
  let index = 0;
  return months.map((month, at) => {
    const stop = {
      ...month,
      index,
      startsYear: months[at - 1]?.month.slice(0, 4) !== month.month.slice(0, 4),
    };
    index += month.count;
    return stop;
  });
}
