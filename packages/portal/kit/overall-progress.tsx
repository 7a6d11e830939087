import type { ComponentChildren } from 'preact';
import { Progress } from './values.tsx';

/**
 * The progress of a job or a pack, and whether this page is updated live. The children are its
 * errors and warnings.
 */
export function OverallProgress(props: {
  percent: number;
  label: string;
  failed: boolean;
  /** In words. */
  status: ComponentChildren;
  /** The state of the stream of changes; null once the job or pack has ended. */
  live: string | null;
  children: ComponentChildren;
}) {
  const { percent, live } = props;
  return (
    <section class="card stack" aria-label="Progress">
      <div class="row overall">
        <strong>{percent}%</strong>
        <span>{props.status}</span>
        {live !== null && (
          <span class="soft" role="status">
            {live === 'open' ? 'Live' : 'Connecting…'}
          </span>
        )}
      </div>
      <Progress percent={percent} label={props.label} bad={props.failed} />
      {props.children}
    </section>
  );
}
