import { pluralise } from '@scriptorium/contracts/pluralise';
import type { MonthCount } from '@scriptorium/contracts/wire/library/objects';
import { memo } from 'preact/compat';
import { useCallback, useMemo, useRef } from 'preact/hooks';
import { useRootClass } from '../../kit/use-root-class.ts';
import type { Results } from './results.ts';

const monthFormat = new Intl.DateTimeFormat(undefined, { month: 'short', timeZone: 'UTC' });

/**
 * The months in which the results were added or taken, in the order of the list; each scrolls to its
 * items.
 */
export function Timeline(props: {
  results: Results;
  /** The index of the first visible item. */
  firstVisibleIndex: number;
  goTo: (index: number) => void;
}) {
  const { results, firstVisibleIndex } = props;
  const { sort, months, total } = results;
  const isByTime = timeOrders.includes(sort);
  // Only images may lack the date by which they are counted.
  const datedAndUndated = sort.endsWith('captured_at') ? (total ?? 0) : 0;
  const stops = useMemo(() => {
    const inOrder = sort.startsWith('-') ? months : months?.toReversed();
    return stopsOf(inOrder ?? [], datedAndUndated);
  }, [months, sort, datedAndUndated]);
  const latest = useRef(props);
  latest.current = props;
  const goToMonth = useCallback(({ index }: Stop) => latest.current.goTo(index), []);
  // Its space is reserved until the months are known, so that the grid does not move.
  if (!isByTime) return null;
  const current = stops.findLast(({ index }) => index <= firstVisibleIndex);
  return <Months stops={stops} current={current} onGo={goToMonth} />;
}

const timeOrders = ['-created_at', 'created_at', '-captured_at', 'captured_at'];

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
            {stop.startsYear && <span class="browse-year">{stop.month?.slice(0, 4)}</span>}
            <button
              type="button"
              aria-current={stop === current ? 'true' : undefined}
              title={pluralise(stop.count, 'item')}
              onClick={() => onGo(stop)}
            >
              {stop.month === null
                ? 'No date'
                : monthFormat.format(new Date(`${stop.month}-01T00:00:00Z`))}
              <span class="visually-hidden">
                {stop.month !== null && ` ${stop.month.slice(0, 4)}`},{' '}
                {pluralise(stop.count, 'item')}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
});

interface Stop {
  /** Null for the items without a date, which are last in either order. */
  month: string | null;
  count: number;
  /** The index of its first item. */
  index: number;
  startsYear: boolean;
}

function stopsOf(months: readonly MonthCount[], total: number): Stop[] {
  let index = 0;
  const stops = months.map(({ month, count }, at): Stop => {
    const startsYear = months[at - 1]?.month.slice(0, 4) !== month.slice(0, 4);
    const stop = { month, count, index, startsYear };
    index += count;
    return stop;
  });
  return months.length === 0 || total <= index
    ? stops
    : [...stops, { month: null, count: total - index, index, startsYear: false }];
}
