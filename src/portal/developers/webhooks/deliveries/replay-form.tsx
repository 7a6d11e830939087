import { useState } from 'preact/hooks';
import type { ReplayCreate, ReplayPreview } from '../../../../contracts/wire/replays.ts';
import type { WebhookRecord } from '../../../../contracts/wire/webhooks.ts';
import { useAction } from '../../../api/hooks.ts';
import { ApiCalls } from '../../../kit/api-call.tsx';
import { Button } from '../../../kit/button.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { faultAt, faultsIn, SelectField, TextField } from '../../../kit/field.tsx';
import { ProblemNotice } from '../../../kit/states.tsx';
import { toast } from '../../../kit/toasts.tsx';
import { formatCount } from '../../../kit/values.tsx';
import { fromLocal, toLocal } from '../../local-time.ts';
import { previewReplay, startReplay } from '../requests.ts';

const dayMs = 86_400_000;
const selections = [
  ['failed', 'Failed: given up or skipped'],
  ['missing', 'Missing: wanted, and neither got nor about to get'],
  ['all', 'All: whether it has got them or not'],
] as const;

interface StartReplayProps {
  of: WebhookRecord;
  onClose: () => void;
  onStarted: () => void;
}

/** Asks what to send again, says how many events that is, and only then starts. */
export function StartReplay({ of: webhook, onClose, onStarted }: StartReplayProps) {
  const [since, setSince] = useState(() => new Date(Date.now() - dayMs).toISOString());
  const [until, setUntil] = useState('');
  const [types, setTypes] = useState('');
  const [only, setOnly] = useState<ReplayCreate['only']>('failed');
  const [preview, setPreview] = useState<ReplayPreview | null>(null);
  const { run, busy, problem } = useAction({ quiet: true });
  const wanted = types.split(/[\s,]+/).filter(Boolean);
  const body: ReplayCreate = {
    since,
    only,
    dry_run: false,
    ...(until ? { until } : {}),
    ...(wanted.length > 0 ? { event_types: wanted } : {}),
  };
  const change = (apply: () => void) => {
    setPreview(null);
    apply();
  };
  const count = async () => {
    const answer = await run(previewReplay(webhook.id, body));
    if (answer) setPreview(answer.data);
  };
  const start = async () => {
    // What was counted is what is sent, also when it is now later.
    const counted = preview ? { ...body, until: preview.until } : body;
    const answer = await run(startReplay(webhook.id, counted));
    if (!answer) return;
    toast('good', `The replay of ${formatCount(answer.data.matched)} events has begun.`);
    onStarted();
    onClose();
  };
  const isReady = preview !== null && preview.matched > 0;
  return (
    <Dialog
      title="Replay events"
      onClose={onClose}
      onSubmit={() => void (isReady ? start() : count())}
      footer={
        <>
          <ApiCalls
            calls={[
              ['Count what would be sent', previewReplay(webhook.id, body)],
              ['Start the replay', startReplay(webhook.id, body)],
            ]}
          />
          <Button onClick={onClose}>Cancel</Button>
          <Button primary={!isReady} busy={busy && !isReady} onClick={() => void count()}>
            Count the events
          </Button>
          {isReady && (
            <Button primary type="submit" busy={busy}>
              Send {formatCount(preview.matched)} again
            </Button>
          )}
        </>
      }
    >
      <SelectField
        label="Which events"
        value={only}
        onChange={(value) =>
          change(() => setOnly(selections.find(([one]) => one === value)?.[0] ?? 'failed'))
        }
        options={selections}
        fault={faultAt(problem, '/only')}
      />
      <TextField
        label="Since"
        hint="In the time zone of this browser."
        type="datetime-local"
        value={toLocal(since)}
        onInput={(value) => change(() => setSince(fromLocal(value)))}
        fault={faultAt(problem, '/since')}
        required
      />
      <TextField
        label="Until"
        hint="Now, without it."
        type="datetime-local"
        value={toLocal(until)}
        onInput={(value) => change(() => setUntil(fromLocal(value)))}
        fault={faultAt(problem, '/until')}
      />
      <TextField
        label="Only these types"
        hint="Such as documents.*, with spaces between. All it asks for without any."
        value={types}
        onInput={(value) => change(() => setTypes(value))}
        fault={faultsIn(problem, '/event_types')}
      />
      {preview && (
        <p class={`notice ${preview.matched > 0 ? 'good' : 'warn'}`} role="status">
          {preview.matched === 0
            ? 'No event matches: there is nothing to send again.'
            : `${formatCount(preview.matched)} ${preview.matched === 1 ? 'event' : 'events'} would be sent again, behind new ones.`}
        </p>
      )}
      <ProblemNotice problem={problem} />
    </Dialog>
  );
}
