import { pluralise } from '@scriptorium/contracts/pluralise';
import type { ReplayCreate, ReplayPreview } from '@scriptorium/contracts/wire/replays';
import type { WebhookRecord } from '@scriptorium/contracts/wire/webhooks';
import { useState } from 'preact/hooks';
import { useAction } from '../../../api/hooks.ts';
import type { ApiProblem } from '../../../api/request.ts';
import { ApiCalls } from '../../../kit/api-calls.tsx';
import { Button } from '../../../kit/button.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { faultAt, faultsIn, SelectField, TextField } from '../../../kit/fields/field.tsx';
import { fromDateTimeLocal, toDateTimeLocal } from '../../../kit/local-time.ts';
import { ProblemNotice } from '../../../kit/states.tsx';
import { toast } from '../../../kit/toasts.tsx';
import { replayPreviewRequest, replayStartRequest } from './replay-requests.ts';

const dayMs = 86_400_000;
const selectionOptions = [
  ['failed', 'Failed: exhausted or skipped, not retried any more'],
  ['missing', 'Missing: subscribed to, but neither delivered nor pending'],
  ['all', 'All: including delivered events, except pending ones'],
] as const;

interface StartReplayDialogProps {
  webhook: WebhookRecord;
  onClose: () => void;
  onStarted: () => void;
}

interface ReplayFormFields {
  only: NonNullable<ReplayCreate['only']>;
  since: string;
  until: string;
  types: string;
}

function replayBody({ only, since, until, types }: ReplayFormFields): ReplayCreate {
  const eventTypes = types.split(/[\s,]+/).filter(Boolean);
  return {
    since,
    only,
    dry_run: false,
    ...(until ? { until } : {}),
    ...(eventTypes.length > 0 ? { event_types: eventTypes } : {}),
  };
}

/** Starts a replay. Matching events must be counted before it can be started. */
export function StartReplayDialog({ webhook, onClose, onStarted }: StartReplayDialogProps) {
  const [fields, setFields] = useState<ReplayFormFields>(() => ({
    only: 'failed',
    until: '',
    types: '',
    since: new Date(Date.now() - dayMs).toISOString(),
  }));
  const [preview, setPreview] = useState<ReplayPreview | null>(null);
  const { run, busy, problem } = useAction({ quiet: true });
  const body = replayBody(fields);
  const countEvents = async () => {
    const response = await run(replayPreviewRequest(webhook.id, body));
    if (response) setPreview(response.data);
  };
  const start = async () => {
    // Sends exactly the events that were counted, even if more have happened since.
    const countedBody = preview ? { ...body, until: preview.until } : body;
    const response = await run(replayStartRequest(webhook.id, countedBody));
    if (!response) return;
    toast('good', `Replay of ${pluralise(response.data.matched, 'event')} started.`);
    onStarted();
    onClose();
  };
  const { pending } = webhook.health;
  const isReady = preview !== null && preview.matched > 0;
  return (
    <Dialog
      title="Replay events"
      onClose={onClose}
      onSubmit={() => void (isReady ? start() : countEvents())}
      footer={
        <>
          <ApiCalls
            calls={[
              ['Count events (dry run)', replayPreviewRequest(webhook.id, body)],
              ['Start replay', replayStartRequest(webhook.id, body)],
            ]}
          />
          <Button onClick={onClose}>Cancel</Button>
          <Button primary={!isReady} busy={busy && !isReady} onClick={() => void countEvents()}>
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
  fields: ReplayFormFields;
  problem: ApiProblem | undefined;
  onChange: (changes: Partial<ReplayFormFields>) => void;
}) {
  const { fields, problem, onChange } = props;
  return (
    <>
      <SelectField
        label="Events"
        value={fields.only}
        onChange={(value) =>
          onChange({ only: selectionOptions.find(([one]) => one === value)?.[0] ?? 'failed' })
        }
        options={selectionOptions}
        fault={faultAt(problem, '/only')}
      />
      <TextField
        label="Since"
        hint="In your browser's time zone."
        type="datetime-local"
        value={toDateTimeLocal(fields.since)}
        onInput={(value) => onChange({ since: fromDateTimeLocal(value) })}
        fault={faultAt(problem, '/since')}
        required
      />
      <TextField
        label="Until"
        hint="Leave empty for now."
        type="datetime-local"
        value={toDateTimeLocal(fields.until)}
        onInput={(value) => onChange({ until: fromDateTimeLocal(value) })}
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
