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
import { fromLocal, toLocal } from '../../../kit/local-time.ts';
import { toast } from '../../../kit/toasts.tsx';
import { previewReplay, startReplay } from './replay.ts';

const hourMs = 3_600_000;
const periods = [
  ['1', 'The last hour'],
  ['6', 'The last 6 hours'],
  ['24', 'The last 24 hours'],
  ['72', 'The last 3 days'],
  ['168', 'The last 7 days'],
] as const;

/** Sends the events that a webhook has not received since a given time. */
export function RecoverButton({ of: webhook, small }: { of: WebhookRecord; small?: boolean }) {
  return (
    <DialogButton
      label="Recover since…"
      small={small ?? false}
      disabled={webhook.state === 'disabled'}
      dialog={(close) => <Recover of={webhook} onClose={close} />}
    />
  );
}

/** `missing`: events that failed permanently or were never sent, excluding pending ones. */
const bodyOf = (since: string): ReplayCreate => ({ since, only: 'missing', dry_run: false });

function Recover({ of: webhook, onClose }: { of: WebhookRecord; onClose: () => void }) {
  const [, navigate] = useLocation();
  const { last_success_at: success, pending } = webhook.health;
  const [period, setPeriod] = useState(success ? 'success' : '24');
  const [since, setSince] = useState(() => success ?? ago('24'));
  const { found, problem } = useCount(webhook.id, since);
  const { run, busy, problem: refused } = useAction({ quiet: true });
  const start = async () => {
    if (!found || found.matched === 0) return;
    // Exactly the events that were counted, even if more have happened since.
    const answer = await run(startReplay(webhook.id, { ...bodyOf(since), until: found.until }));
    if (!answer) return;
    toast('good', `Replay of ${pluralise(answer.data.matched, 'event')} started.`);
    onClose();
    navigate(`/${webhook.id}/replays`);
  };
  return (
    <FormDialog
      title="Recover since…"
      onClose={onClose}
      onSubmit={start}
      action={found && found.matched > 0 ? `Send ${pluralise(found.matched, 'event')}` : 'Send'}
      busy={busy}
      disabled={!found || found.matched === 0}
      calls={[
        ['Count events (dry run)', previewReplay(webhook.id, bodyOf(since))],
        ['Recover', startReplay(webhook.id, bodyOf(since))],
      ]}
      problem={problem ?? refused}
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
          if (value === 'success' && success) setSince(success);
          else if (value !== 'other') setSince(ago(value));
        }}
        options={[
          ...(success ? [['success', 'The last success'] as const] : []),
          ...periods,
          ['other', 'Another time'],
        ]}
      />
      {period === 'other' && (
        <TextField
          label="Time"
          hint="In your browser's time zone."
          type="datetime-local"
          value={toLocal(since)}
          onInput={(value) => {
            if (value) setSince(fromLocal(value));
          }}
          required
        />
      )}
      <p class={`notice ${found && found.matched > 0 ? 'good' : ''}`} role="status">
        {found === null ? 'Counting…' : countWords(found)}
        {found !== null &&
          pending > 0 &&
          ` ${pluralise(pending, 'delivery is', 'deliveries are')} pending and left out: they are sent without this.`}
      </p>
    </FormDialog>
  );
}

function countWords({ matched }: ReplayPreview): string {
  if (matched === 0) return 'Nothing to send: every event has been received or is pending.';
  return `${pluralise(matched, 'event')} will be sent, after new events.`;
}

const ago = (hours: string): string => new Date(Date.now() - Number(hours) * hourMs).toISOString();

/** Counts the events to send, whenever the time changes. */
function useCount(id: string, since: string) {
  const [counted, setCounted] = useState<{
    since: string;
    found: ReplayPreview | null;
    problem?: ApiProblem;
  }>({ since, found: null });
  useEffect(() => {
    const gone = new AbortController();
    send(previewReplay(id, bodyOf(since)), gone.signal).then(
      ({ data }) => setCounted({ since, found: data }),
      (error: unknown) => {
        if (!gone.signal.aborted) setCounted({ since, found: null, problem: asProblem(error) });
      },
    );
    return () => gone.abort();
  }, [id, since]);
  return counted.since === since ? counted : { found: null, problem: undefined };
}
