import { pluralise } from '@scriptorium/contracts/pluralise';
import { formatCount } from '../../../kit/format-count.ts';
import { Progress } from '../../../kit/values.tsx';
import type { Outcome } from './run.ts';

/** The progress of a bulk change. */
export function BulkProgress({ settled, count }: { settled: number; count: number }) {
  const percent = count === 0 ? 0 : Math.min(100, Math.floor((100 * settled) / count));
  return (
    <div class="stack">
      <Progress percent={percent} label="Progress" />
      <span class="soft">
        {formatCount(settled)} of {formatCount(count)}
      </span>
    </div>
  );
}

/** The items that could not be changed, and why. */
export function FailedItems(props: { failed: Outcome['failed']; verb?: string }) {
  const { failed, verb = 'change' } = props;
  return (
    <div class="notice bad" role="alert">
      <p>
        Could not {verb} {pluralise(failed.length, 'item')}:
      </p>
      <ul class="browse-failures" tabIndex={0} aria-label="Failed items">
        {failed.map(({ id, name, reason }) => (
          <li key={id}>
            <bdi>{name}</bdi>: {reason}
          </li>
        ))}
      </ul>
    </div>
  );
}
