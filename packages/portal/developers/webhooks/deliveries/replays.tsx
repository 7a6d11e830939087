import { pluralise } from '@scriptorium/contracts/pluralise';
import type { ReplayRecord } from '@scriptorium/contracts/wire/replays';
import type { WebhookRecord } from '@scriptorium/contracts/wire/webhooks';
import { useEffect } from 'preact/hooks';
import { useAction, useList } from '../../../api/hooks.ts';
import { requestFor } from '../../../api/request.ts';
import { Button } from '../../../kit/button.tsx';
import { DialogButton } from '../../../kit/dialog.tsx';
import { formatCount } from '../../../kit/format-count.ts';
import { ListFooter } from '../../../kit/list-footer.tsx';
import { Empty, Loading, ProblemState } from '../../../kit/states.tsx';
import { toast } from '../../../kit/toasts.tsx';
import { Progress, StateBadge, Time } from '../../../kit/values.tsx';
import { useSession } from '../../../shell/session.tsx';
import { RecoverButton } from './recover-dialog.tsx';
import { StartReplayDialog } from './replay-form.tsx';

/** Interval at which a running replay is reloaded, in milliseconds. */
const pollIntervalMs = 1_500;

/** The replays of a webhook. */
export function Replays({ webhook }: { webhook: WebhookRecord }) {
  const { can } = useSession();
  const list = useList(requestFor('listReplays', { id: webhook.id }));
  const isRunning = list.items.some(({ state }) => state === 'running');
  useEffect(() => {
    if (!isRunning || list.loading) return;
    const timer = window.setTimeout(list.reload, pollIntervalMs);
    return () => window.clearTimeout(timer);
  }, [isRunning, list.loading, list.reload]);
  return (
    <section class="stack" aria-label="Replays">
      {can('webhooks:write') && (
        <div class="row">
          <RecoverButton webhook={webhook} />
          <DialogButton
            primary
            disabled={isRunning}
            label="Replay events"
            dialog={(close) => (
              <StartReplayDialog webhook={webhook} onClose={close} onStarted={list.reload} />
            )}
          />
        </div>
      )}
      {list.problem ? (
        <ProblemState problem={list.problem} onRetry={list.reload} />
      ) : list.loading && list.items.length === 0 ? (
        <Loading what="replays" />
      ) : list.items.length === 0 ? (
        <Empty title="No replays yet">
          A replay sends the events of a time range again: failed ones, missing ones, or all.
        </Empty>
      ) : (
        <>
          <ol class="dev-lines">
            {list.items.map((replay) => (
              <li key={replay.id} class="card stack">
                <ReplayDetails replay={replay} reload={list.reload} />
              </li>
            ))}
          </ol>
          <ListFooter list={list} nouns={['replay', 'replays']} />
        </>
      )}
    </section>
  );
}

function ReplayDetails({ replay, reload }: { replay: ReplayRecord; reload: () => void }) {
  const { can } = useSession();
  const { run, busy } = useAction();
  const finishedCount = replay.succeeded + replay.exhausted + replay.skipped + replay.cancelled;
  const percent =
    replay.matched === 0 ? 100 : Math.min(100, Math.round((finishedCount / replay.matched) * 100));
  const cancel = async () => {
    if (!(await run(requestFor('cancelReplay', { id: replay.webhook_id, replay_id: replay.id }))))
      return;
    toast('good', 'Replay cancelled. The remaining events will not be sent.');
    reload();
  };
  const counts = [
    ['succeeded', replay.succeeded],
    ['pending', replay.pending],
    ['exhausted', replay.exhausted],
    ['skipped', replay.skipped],
    ['cancelled', replay.cancelled],
  ] as const;
  return (
    <>
      <div class="row">
        <StateBadge state={replay.state} />
        <span>
          {pluralise(replay.matched, 'event')} ({replay.only}), from{' '}
          <Time at={replay.since} exact /> to <Time at={replay.until} exact />
        </span>
        {replay.state === 'running' && can('webhooks:write') && (
          <Button small busy={busy} onClick={() => void cancel()}>
            Cancel replay
          </Button>
        )}
      </div>
      {replay.event_types && <p class="mono">{replay.event_types.join(', ')}</p>}
      <Progress percent={percent} label="Replay progress" bad={replay.exhausted > 0} />
      <p class="soft">
        {counts
          .filter(([, count]) => count > 0)
          .map(([label, count]) => `${formatCount(count)} ${label}`)
          .join(' · ') || 'Nothing sent yet'}
        {replay.reason && ` (${replay.reason.replaceAll('_', ' ')})`}
      </p>
    </>
  );
}
