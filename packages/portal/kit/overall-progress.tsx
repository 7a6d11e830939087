import type { ComponentChildren } from 'preact';
import { Progress } from './values.tsx';

/**
 * The progress of a job or a pack, and whether the page is updated live. The children are errors and
 * warnings.
 */
export function OverallProgress(props: {
  percent: number;
  label: string;
  failed: boolean;
  /** In words. */
  status: ComponentChildren;
  /** The state of the stream of changes; null once the job or pack has ended. */
  streamState: string | null;
  children: ComponentChildren;
}) {
  const { percent, streamState } = props;
  return (
    <section class="card stack" aria-label="Progress">
      <div class="row overall">
        <strong>{percent}%</strong>
        <span>{props.status}</span>
        {streamState !== null && (
          <span class="soft" role="status">
            {streamState === 'open' ? 'Live' : 'Connecting…'}
          </span>
        )}
      </div>
      <Progress percent={percent} label={props.label} bad={props.failed} />
      {props.children}
    </section>
  );
}
