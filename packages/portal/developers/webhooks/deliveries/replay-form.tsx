import { pluralise } from '@scriptorium/contracts/pluralise';
import type { ReplayCreate, ReplayPreview } from '@scriptorium/contracts/wire/replays';
import type { WebhookRecord } from '@scriptorium/contracts/wire/webhooks';
import { useState } from 'preact/hooks';
import { useAction } from '../../../api/hooks.ts';
import type { ApiProblem } from '../../../api/request.ts';
import { ApiCalls } from '../../../kit/api-call.tsx';
import { Button } from '../../../kit/button.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { faultAt, faultsIn, SelectField, TextField } from '../../../kit/fields/field.tsx';
import { fromLocal, toLocal } from '../../../kit/local-time.ts';
import { ProblemNotice } from '../../../kit/states.tsx';
import { toast } from '../../../kit/toasts.tsx';
import { previewReplay, startReplay } from './replay.ts';

const dayMs = 86_400_000;
const selections = [
  ['failed', 'Failed: exhausted or skipped, not retried any more'],
  ['missing', 'Missing: subscribed to, but neither delivered nor pending'],
  ['all', 'All: including delivered events, except pending ones'],
] as const;

interface StartReplayProps {
  of: WebhookRecord;
  onClose: () => void;
  onStarted: () => void;
}

interface Fields {
  only: NonNullable<ReplayCreate['only']>;
  since: string;
  until: string;
  types: string;
}

function bodyOf({ only, since, until, types }: Fields): ReplayCreate {
  const wanted = types.split(/[\s,]+/).filter(Boolean);
  return {
    since,
    only,
    dry_run: false,
    ...(until ? { until } : {}),
    ...(wanted.length > 0 ? { event_types: wanted } : {}),
  };
}

/** Starts a replay. Matching events must be counted before it can be started. */
export function StartReplay({ of: webhook, onClose, onStarted }: StartReplayProps) {
  const [fields, setFields] = useState<Fields>(() => ({
    ...{ only: 'failed', until: '', types: '' },
    since: new Date(Date.now() - dayMs).toISOString(),
  }));
  const [preview, setPreview] = useState<ReplayPreview | null>(null);
  const { run, busy, problem } = useAction({ quiet: true });
  const body = bodyOf(fields);
  const count = async () => {
    const answer = await run(previewReplay(webhook.id, body));
    if (answer) setPreview(answer.data);
  };
  const start = async () => {
    // Sends exactly the events that were counted, even if more have happened since.
    const counted = preview ? { ...body, until: preview.until } : body;
    const answer = await run(startReplay(webhook.id, counted));
    if (!answer) return;
    toast('good', `Replay of ${pluralise(answer.data.matched, 'event')} started.`);
    onStarted();
    onClose();
  };
  const { pending } = webhook.health;
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
              ['Count events (dry run)', previewReplay(webhook.id, body)],
              ['Start replay', startReplay(webhook.id, body)],
            ]}
          />
          <Button onClick={onClose}>Cancel</Button>
          <Button primary={!isReady} busy={busy && !isReady} onClick={() => void count()}>
            Count events
          </Button>
          {isReady && (
            <Button primary type="submit" busy={busy}>
              Replay {pluralise(preview.matched, 'event')}
            </Button>
          )}
        </>
      }
    >
      <ReplayFields
        fields={fields}
        problem={problem}
        onChange={(changes) => {
          setPreview(null);
          setFields({ ...fields, ...changes });
        }}
      />
      {preview && (
        <p class={`notice ${preview.matched > 0 ? 'good' : 'warn'}`} role="status">
          {preview.matched === 0
            ? 'No events match.'
            : `${pluralise(preview.matched, 'event')} will be sent again. New events take precedence.`}
        </p>
      )}
      {preview && pending > 0 && (
        <p class="soft">
          {pluralise(pending, 'delivery is', 'deliveries are')} still pending. They are sent and
          retried without a replay.
        </p>
      )}
      <ProblemNotice problem={problem} />
    </Dialog>
  );
}

function ReplayFields(props: {
  fields: Fields;
  problem: ApiProblem | undefined;
  onChange: (changes: Partial<Fields>) => void;
}) {
  const { fields, problem, onChange } = props;
  return (
    <>
      <SelectField
        label="Events"
        value={fields.only}
        onChange={(value) =>
          onChange({ only: selections.find(([one]) => one === value)?.[0] ?? 'failed' })
        }
        options={selections}
        fault={faultAt(problem, '/only')}
      />
      <TextField
        label="Since"
        hint="In your browser's time zone."
        type="datetime-local"
        value={toLocal(fields.since)}
        onInput={(value) => onChange({ since: fromLocal(value) })}
        fault={faultAt(problem, '/since')}
        required
      />
      <TextField
        label="Until"
        hint="Leave empty for now."
        type="datetime-local"
        value={toLocal(fields.until)}
        onInput={(value) => onChange({ until: fromLocal(value) })}
        fault={faultAt(problem, '/until')}
      />
      <TextField
        label="Event types"
        hint="For example documents.*. Separate types with spaces. Leave empty for all types of this webhook."
        value={fields.types}
        onInput={(types) => onChange({ types })}
        fault={faultsIn(problem, '/event_types')}
      />
    </>
  );
}
