import { pluralise } from '@scriptorium/contracts/pluralise';
import type { ReplayCreate, ReplayPreview } from '@scriptorium/contracts/wire/replays';
import type { WebhookRecord } from '@scriptorium/contracts/wire/webhooks';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { asProblem, useAction } from '../../../api/hooks.ts';
import { type ApiProblem, send } from '../../../api/request.ts';
import { DialogButton } from '../../../kit/dialog.tsx';
import { SelectField, TextField } from '../../../kit/fields/field.tsx';
import { FormDialog } from '../../../kit/form-dialog.tsx';
import { fromDateTimeLocal, toDateTimeLocal } from '../../../kit/local-time.ts';
import { toast } from '../../../kit/toasts.tsx';
import { replayPreviewRequest, replayStartRequest } from './replay-requests.ts';

const hourMs = 3_600_000;
const periodOptions = [
  ['1', 'The last hour'],
  ['6', 'The last 6 hours'],
  ['24', 'The last 24 hours'],
  ['72', 'The last 3 days'],
  ['168', 'The last 7 days'],
] as const;

/** Sends the events that a webhook has not received since a given time. */
export function RecoverButton({ webhook, small }: { webhook: WebhookRecord; small?: boolean }) {
  return (
    <DialogButton
      label="Recover since…"
      small={small ?? false}
      disabled={webhook.state === 'disabled'}
      dialog={(close) => <RecoverDialog webhook={webhook} onClose={close} />}
    />
  );
}

/** `missing`: events that failed permanently or were never sent, excluding pending ones. */
const replayBody = (since: string): ReplayCreate => ({ since, only: 'missing', dry_run: false });

function RecoverDialog({ webhook, onClose }: { webhook: WebhookRecord; onClose: () => void }) {
  const [, navigate] = useLocation();
  const { last_success_at, pending } = webhook.health;
  const [period, setPeriod] = useState(last_success_at ? 'success' : '24');
  const [since, setSince] = useState(() => last_success_at ?? hoursAgo('24'));
  const { preview, problem } = usePreview(webhook.id, since);
  const { run, busy, problem: startProblem } = useAction({ quiet: true });
  const start = async () => {
    if (!preview || preview.matched === 0) return;
    // Exactly the events that were counted, even if more have happened since.
    const response = await run(
      replayStartRequest(webhook.id, { ...replayBody(since), until: preview.until }),
    );
    if (!response) return;
    toast('good', `Replay of ${pluralise(response.data.matched, 'event')} started.`);
    onClose();
    navigate(`/${webhook.id}/replays`);
  };
  return (
    <FormDialog
      title="Recover since…"
      onClose={onClose}
      onSubmit={start}
      action={
        preview && preview.matched > 0 ? `Send ${pluralise(preview.matched, 'event')}` : 'Send'
      }
      busy={busy}
      disabled={!preview || preview.matched === 0}
      calls={[
        ['Count events (dry run)', replayPreviewRequest(webhook.id, replayBody(since))],
        ['Recover', replayStartRequest(webhook.id, replayBody(since))],
      ]}
      problem={problem ?? startProblem}
    >
      <p>
        Sends events that match this webhook but were not received: those whose delivery failed
        permanently, and those that were never sent.
      </p>
      <SelectField
        label="Since"
        value={period}
        onChange={(value) => {
          setPeriod(value);
          if (value === 'success' && last_success_at) setSince(last_success_at);
          else if (value !== 'other') setSince(hoursAgo(value));
        }}
        options={[
          ...(last_success_at ? [['success', 'The last success'] as const] : []),
          ...periodOptions,
          ['other', 'Another time'],
        ]}
      />
      {period === 'other' && (
        <TextField
          label="Time"
          hint="In your browser's time zone."
          type="datetime-local"
          value={toDateTimeLocal(since)}
          onInput={(value) => {
            if (value) setSince(fromDateTimeLocal(value));
          }}
          required
        />
      )}
      <p class={`notice ${preview && preview.matched > 0 ? 'good' : ''}`} role="status">
        {preview === null ? 'Counting…' : describeCount(preview)}
        {preview !== null &&
          pending > 0 &&
          ` ${pluralise(pending, 'delivery is', 'deliveries are')} pending and not included: they are sent anyway.`}
      </p>
    </FormDialog>
  );
}

function describeCount({ matched }: ReplayPreview): string {
  if (matched === 0) return 'Nothing to send: every event has been received or is pending.';
  return `${pluralise(matched, 'event')} will be sent, after new events.`;
}

const hoursAgo = (hours: string): string =>
  new Date(Date.now() - Number(hours) * hourMs).toISOString();

/** Counts the events to send, whenever the time changes. */
function usePreview(id: string, since: string) {
  const [result, setResult] = useState<{
    since: string;
    preview: ReplayPreview | null;
    problem?: ApiProblem;
  }>({ since, preview: null });
  useEffect(() => {
    const controller = new AbortController();
    send(replayPreviewRequest(id, replayBody(since)), controller.signal).then(
      ({ data }) => setResult({ since, preview: data }),
      (error: unknown) => {
        if (!controller.signal.aborted)
          setResult({ since, preview: null, problem: asProblem(error) });
      },
    );
    return () => controller.abort();
  }, [id, since]);
  return result.since === since ? result : { preview: null, problem: undefined };
}
