import { useEffect } from 'preact/hooks';
import type { ReplayRecord } from '../../../../contracts/wire/replays.ts';
import type { WebhookRecord } from '../../../../contracts/wire/webhooks.ts';
import { useAction, useList } from '../../../api/hooks.ts';
import { Button } from '../../../kit/button.tsx';
import { DialogButton } from '../../../kit/dialog.tsx';
import { More } from '../../../kit/more.tsx';
import { Empty, Loading, ProblemState } from '../../../kit/states.tsx';
import { toast } from '../../../kit/toasts.tsx';
import { formatCount, Progress, State, Time } from '../../../kit/values.tsx';
import { useSession } from '../../../shell/session.tsx';
import { cancelReplay, listReplays } from '../requests.ts';
import { StartReplay } from './replay-form.tsx';

/** How often a replay that runs is looked at again. */
const lookMs = 1_500;

/** What was and is sent to a webhook again. */
export function Replays({ of: webhook }: { of: WebhookRecord }) {
  const { can } = useSession();
  const list = useList(listReplays(webhook.id));
  const isRunning = list.items.some(({ state }) => state === 'running');
  useEffect(() => {
    if (!isRunning || list.loading) return;
    const timer = window.setTimeout(list.reload, lookMs);
    return () => window.clearTimeout(timer);
  }, [isRunning, list.loading, list.reload]);
  return (
    <section class="stack" aria-label="Replays">
      {can('webhooks:write') && (
        <div>
          <DialogButton
            primary
            disabled={isRunning}
            label="Replay events"
            dialog={(close) => <StartReplay of={webhook} onClose={close} onStarted={list.reload} />}
          />
        </div>
      )}
      {list.problem ? (
        <ProblemState problem={list.problem} onRetry={list.reload} />
      ) : list.loading && list.items.length === 0 ? (
        <Loading what="the replays" />
      ) : list.items.length === 0 ? (
        <Empty title="No replays yet">
          A replay sends the events of a time again: those that failed, those that are missing, or
          all.
        </Empty>
      ) : (
        <>
          <ol class="dev-lines">
            {list.items.map((replay) => (
              <li key={replay.id} class="card stack">
                <One of={replay} reload={list.reload} />
              </li>
            ))}
          </ol>
          <More list={list} noun="replays" />
        </>
      )}
    </section>
  );
}

function One({ of: replay, reload }: { of: ReplayRecord; reload: () => void }) {
  const { can } = useSession();
  const { run, busy } = useAction();
  const ended = replay.succeeded + replay.exhausted + replay.skipped + replay.cancelled;
  const percent =
    replay.matched === 0 ? 100 : Math.min(100, Math.round((ended / replay.matched) * 100));
  const cancel = async () => {
    if (!(await run(cancelReplay(replay.webhook_id, replay.id)))) return;
    toast('good', 'The replay is cancelled: what it has not sent yet is not sent.');
    reload();
  };
  const counts = [
    ['arrived', replay.succeeded],
    ['to be sent', replay.pending],
    ['given up', replay.exhausted],
    ['skipped', replay.skipped],
    ['cancelled', replay.cancelled],
  ] as const;
  return (
    <>
      <div class="row">
        <State state={replay.state} />
        <span>
          {formatCount(replay.matched)} {replay.matched === 1 ? 'event' : 'events'}, {replay.only},
          from <Time at={replay.since} exact /> to <Time at={replay.until} exact />
        </span>
        {replay.state === 'running' && can('webhooks:write') && (
          <Button small busy={busy} onClick={() => void cancel()}>
            Cancel the replay
          </Button>
        )}
      </div>
      {replay.event_types && <p class="mono">{replay.event_types.join(', ')}</p>}
      <Progress
        percent={percent}
        label="How much of the replay is done"
        bad={replay.exhausted > 0}
      />
      <p class="soft">
        {counts
          .filter(([, count]) => count > 0)
          .map(([words, count]) => `${formatCount(count)} ${words}`)
          .join(' · ') || 'Nothing sent yet.'}
        {replay.reason && ` (${replay.reason.replaceAll('_', ' ')})`}
      </p>
    </>
  );
}
