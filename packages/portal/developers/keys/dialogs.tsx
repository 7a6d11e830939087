import type { KeyRecord, NewKeyRecord } from '@scriptorium/contracts/wire/keys';
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { useAction } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { SelectField, TextField } from '../../kit/fields/field.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { toast } from '../../kit/toasts.tsx';
import { useSession } from '../../shell/session.tsx';
import { overlapOptions, SecretDialog } from '../secret-dialog.tsx';
import { KeyForm, keyBody, keyFields } from './form.tsx';

interface KeyDialogProps {
  apiKey: KeyRecord;
  /** Whether the session uses this key. */
  isOwn: boolean;
  onClose: () => void;
  onDone: () => void;
}

export function EditKeyDialog({ apiKey, isOwn, onClose, onDone }: KeyDialogProps) {
  const [fields, setFields] = useState(() => keyFields(apiKey));
  const { run, busy, problem } = useAction({ quiet: true });
  const save = async () => {
    const response = await run(
      requestFor('updateKey', { id: apiKey.id, body: keyBody(fields, apiKey.expires_at) }),
    );
    if (!response) return;
    toast('good', `API key ${response.data.name} updated.`);
    // Reload the session, which caches the scopes of its key.
    if (isOwn) window.location.reload();
    onDone();
    onClose();
  };
  return (
    <FormDialog
      title="Edit API key"
      wide
      onClose={onClose}
      onSubmit={save}
      action="Save"
      busy={busy}
      disabled={fields.scopes.length === 0}
      problem={problem}
    >
      {isOwn && (
        <p class="notice warn">
          You are logged in with this key. Removing scopes or addresses affects your session.
        </p>
      )}
      <KeyForm fields={fields} onChange={setFields} problem={problem} />
    </FormDialog>
  );
}

export function RollKeyDialog({ apiKey, isOwn, onClose, onDone }: KeyDialogProps) {
  const [, navigate] = useLocation();
  const [overlap, setOverlap] = useState('86400');
  const [newKey, setNewKey] = useState<NewKeyRecord | null>(null);
  const { run, busy, problem } = useAction({ quiet: true });
  const roll = async () => {
    const response = await run(
      requestFor('rollKey', { id: apiKey.id, body: { overlap_seconds: Number(overlap) } }),
    );
    if (response) setNewKey(response.data);
  };
  if (newKey) {
    return (
      <SecretDialog
        title="New API key"
        what="API key"
        secret={newKey.api_key}
        onClose={() => {
          toast('good', `API key ${newKey.name} rolled.`);
          onDone();
          onClose();
          navigate(`/${newKey.id}`);
        }}
      />
    );
  }
  return (
    <FormDialog
      title="Roll API key"
      onClose={onClose}
      onSubmit={roll}
      action="Roll key"
      busy={busy}
      problem={problem}
    >
      <p>
        Creates a new key with the same name, scopes and addresses. The old key keeps working for
        the time you choose, so that you can switch over.
      </p>
      <SelectField
        label="Old key stops working"
        value={overlap}
        onChange={setOverlap}
        options={overlapOptions}
      />
      {isOwn && (
        <p class="notice warn">
          You are logged in with this key. When it stops working, your session ends.
        </p>
      )}
    </FormDialog>
  );
}

export function RevokeKeyDialog({ apiKey, isOwn, onClose, onDone }: KeyDialogProps) {
  const { logOut } = useSession();
  const [confirmation, setConfirmation] = useState('');
  const { run, busy, problem } = useAction({ quiet: true });
  const revoke = async () => {
    if (confirmation.trim() !== apiKey.name.trim()) return;
    const response = await run(requestFor('revokeKey', { id: apiKey.id }));
    if (!response) return;
    toast('good', `API key ${apiKey.name} revoked.`);
    onClose();
    if (isOwn) await logOut();
    else onDone();
  };
  return (
    <FormDialog
      title="Revoke API key"
      onClose={onClose}
      onSubmit={revoke}
      action="Revoke key"
      danger
      busy={busy}
      disabled={confirmation.trim() !== apiKey.name.trim()}
      problem={problem}
    >
      {isOwn && (
        <p class="notice bad">You are logged in with this key. Revoking it ends your session.</p>
      )}
      <p>
        The key stops working immediately and permanently. Open streams and signed URLs created with
        it end as well.
      </p>
      <TextField
        label={`Type ${apiKey.name} to confirm`}
        value={confirmation}
        onInput={setConfirmation}
      />
    </FormDialog>
  );
}
