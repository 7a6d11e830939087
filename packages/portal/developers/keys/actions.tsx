import type { KeyRecord, NewKeyRecord } from '@scriptorium/contracts/wire/keys';
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { useAction } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { SelectField, TextField } from '../../kit/fields/field.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { toast } from '../../kit/toasts.tsx';
import { useSession } from '../../shell/session.tsx';
import { overlaps, SecretDialog } from '../secret.tsx';
import { KeyForm, keyBody, keyFields } from './form.tsx';

interface ActionProps {
  of: KeyRecord;
  /** Whether the session uses this key. */
  own: boolean;
  onClose: () => void;
  onDone: () => void;
}

export function EditKey({ of: key, own, onClose, onDone }: ActionProps) {
  const [fields, setFields] = useState(() => keyFields(key));
  const { run, busy, problem } = useAction({ quiet: true });
  const save = async () => {
    const answer = await run(
      requestFor('updateKey', { id: key.id, body: keyBody(fields, key.expires_at) }),
    );
    if (!answer) return;
    toast('good', `API key ${answer.data.name} updated.`);
    // Reload the session, which caches the scopes of its key.
    if (own) window.location.reload();
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
      {own && (
        <p class="notice warn">
          You are logged in with this key. Removing scopes or addresses affects your session.
        </p>
      )}
      <KeyForm fields={fields} onChange={setFields} problem={problem} />
    </FormDialog>
  );
}

export function RollKey({ of: key, own, onClose, onDone }: ActionProps) {
  const [, navigate] = useLocation();
  const [overlap, setOverlap] = useState('86400');
  const [made, setMade] = useState<NewKeyRecord | null>(null);
  const { run, busy, problem } = useAction({ quiet: true });
  const roll = async () => {
    const answer = await run(
      requestFor('rollKey', { id: key.id, body: { overlap_seconds: Number(overlap) } }),
    );
    if (answer) setMade(answer.data);
  };
  if (made) {
    return (
      <SecretDialog
        title="New API key"
        what="API key"
        secret={made.api_key}
        onClose={() => {
          toast('good', `API key ${made.name} rolled.`);
          onDone();
          onClose();
          navigate(`/${made.id}`);
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
        options={overlaps}
      />
      {own && (
        <p class="notice warn">
          You are logged in with this key. When it stops working, your session ends.
        </p>
      )}
    </FormDialog>
  );
}

export function RevokeKey({ of: key, own, onClose, onDone }: ActionProps) {
  const { logOut } = useSession();
  const [typed, setTyped] = useState('');
  const { run, busy, problem } = useAction({ quiet: true });
  const revoke = async () => {
    if (typed.trim() !== key.name.trim()) return;
    const answer = await run(requestFor('revokeKey', { id: key.id }));
    if (!answer) return;
    toast('good', `API key ${key.name} revoked.`);
    onClose();
    if (own) await logOut();
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
      disabled={typed.trim() !== key.name.trim()}
      problem={problem}
    >
      {own && (
        <p class="notice bad">You are logged in with this key. Revoking it ends your session.</p>
      )}
      <p>
        The key stops working immediately and permanently. Open streams and signed URLs created with
        it end as well.
      </p>
      <TextField label={`Type ${key.name} to confirm`} value={typed} onInput={setTyped} />
    </FormDialog>
  );
}
