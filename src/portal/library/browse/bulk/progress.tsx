import { formatCount, Progress } from '../../../kit/values.tsx';
import type { Outcome } from './run.ts';

/** How far a change of many is. */
export function BulkProgress({ settled, count }: { settled: number; count: number }) {
  const percent = count === 0 ? 0 : Math.min(100, Math.floor((100 * settled) / count));
  return (
    <div class="stack">
      <Progress percent={percent} label="How much is done" />
      <span class="soft">
        {formatCount(settled)} of {formatCount(count)}
      </span>
    </div>
  );
}

/** What could not be changed, and why. */
export function Failures({ failed }: { failed: Outcome['failed'] }) {
  return (
    <div class="notice bad" role="alert">
      <p>
        {failed.length === 1 ? 'One was left' : `${formatCount(failed.length)} were left`} as
        before:
      </p>
      <ul class="browse-failures" tabIndex={0} aria-label="What was left">
        {failed.map(({ id, name, reason }) => (
          <li key={id}>
            <bdi>{name}</bdi>: {reason}
          </li>
        ))}
      </ul>
    </div>
  );
}
