import { useEffect, useRef } from 'preact/hooks';
import { Thumb } from '../browse/grid/thumb.tsx';
import type { Results } from '../browse/results.ts';

/** How many items are shown on each side. */
const beside = 12;

/** The neighbours of an item, as small pictures. */
export function Strip(props: {
  results: Results;
  index: number;
  onIndex: (index: number) => void;
}) {
  const { results, index, onIndex } = props;
  const list = useRef<HTMLUListElement>(null);
  const first = Math.max(0, index - beside);
  const end = Math.min(results.count, index + beside + 1);
  const items = results.items.slice(first, end);
  useEffect(() => {
    const current = list.current?.querySelector('[aria-current]');
    current?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [index, items.length, items.includes(undefined)]);
  return (
    <ul ref={list} class="lightbox-strip" aria-label="Nearby items">
      {items.map((item, at) => (
        <li key={item?.id ?? `at ${first + at}`}>
          <button
            type="button"
            // Arrow keys go from item to item.
            tabIndex={-1}
            aria-label={item?.name ?? 'Loading'}
            aria-current={first + at === index ? 'true' : undefined}
            onClick={() => onIndex(first + at)}
          >
            {item && <Thumb item={item} width={64} />}
          </button>
        </li>
      ))}
    </ul>
  );
}
