import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import type { KeyRecord, NewKeyRecord } from '../../../contracts/wire/keys.ts';
import { useAction } from '../../api/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { SelectField, TextField } from '../../kit/field.tsx';
import { ProblemNotice } from '../../kit/states.tsx';
import { toast } from '../../kit/toasts.tsx';
import { useSession } from '../../shell/session.tsx';
import { overlaps } from '../overlaps.ts';
import { SecretDialog } from '../secret.tsx';
import { bodyOf, fieldsOf, KeyForm } from './form.tsx';
import { revokeKey, rollKey, updateKey } from './requests.ts';

interface ActionProps {
  of: KeyRecord;
  /** Whether the session is this key's. */
  own: boolean;
  onClose: () => void;
  onDone: () => void;
}

export function EditKey({ of: key, own, onClose, onDone }: ActionProps) {
  const [fields, setFields] = useState(() => fieldsOf(key));
  const { run, busy, problem } = useAction({ quiet: true });
  const save = async () => {
    const answer = await run(updateKey(key.id, bodyOf(fields, key.expires_at)));
    if (!answer) return;
    toast('good', `The API key ${answer.data.name} is changed.`);
    // The session shows what its key may do; it is read again with the page.
    if (own) window.location.reload();
    onDone();
    onClose();
  };
  return (
    <Dialog
      title="Edit the API key"
      wide
      onClose={onClose}
      onSubmit={() => void save()}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button primary type="submit" busy={busy} disabled={fields.scopes.length === 0}>
            Save
          </Button>
        </>
      }
    >
      {own && (
        <p class="notice warn">
          You are logged in with this key: a scope or an address taken away is taken from you too.
        </p>
      )}
      <KeyForm fields={fields} onChange={setFields} problem={problem} />
      <ProblemNotice problem={problem} />
    </Dialog>
  );
}

export function RollKey({ of: key, own, onClose, onDone }: ActionProps) {
  const [, navigate] = useLocation();
  const [overlap, setOverlap] = useState('86400');
  const [made, setMade] = useState<NewKeyRecord | null>(null);
  const { run, busy, problem } = useAction({ quiet: true });
  const roll = async () => {
    const answer = await run(rollKey(key.id, Number(overlap)));
    if (answer) setMade(answer.data);
  };
  if (made) {
    return (
      <SecretDialog
        title="The new API key"
        what="the API key"
        secret={made.api_key}
        onClose={() => {
          toast('good', `The API key ${made.name} is rolled.`);
          onDone();
          onClose();
          navigate(`/${made.id}`);
        }}
      />
    );
  }
  return (
    <Dialog
      title="Roll the API key"
      onClose={onClose}
      onSubmit={() => void roll()}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button primary type="submit" busy={busy}>
            Roll the key
          </Button>
        </>
      }
    >
      <p>
        A new key with the same name, scopes and addresses takes its place. The one there is goes on
        working for a while, so that nothing stops while you change over.
      </p>
      <SelectField
        label="The old key stops working"
        value={overlap}
        onChange={setOverlap}
        options={overlaps}
      />
      {own && (
        <p class="notice warn">
          You are logged in with this key: when it stops working, this session ends.
        </p>
      )}
      <ProblemNotice problem={problem} />
    </Dialog>
  );
}

export function RevokeKey({ of: key, own, onClose, onDone }: ActionProps) {
  const { logOut } = useSession();
  const [typed, setTyped] = useState('');
  const { run, busy, problem } = useAction({ quiet: true });
  const revoke = async () => {
    if (typed.trim() !== key.name.trim()) return;
    const answer = await run(revokeKey(key.id));
    if (!answer) return;
    toast('good', `The API key ${key.name} is revoked.`);
    onClose();
    if (own) await logOut();
    else onDone();
  };
  return (
    <Dialog
      title="Revoke the API key"
      onClose={onClose}
      onSubmit={() => void revoke()}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button danger type="submit" busy={busy} disabled={typed.trim() !== key.name.trim()}>
            Revoke the key
          </Button>
        </>
      }
    >
      {own && (
        <p class="notice bad">You are logged in with this key. Revoking it ends this session.</p>
      )}
      <p>
        It stops working at once, and for good: requests with it, streams they hold open, and signed
        URLs made with it.
      </p>
      <TextField label={`Type ${key.name} to revoke it`} value={typed} onInput={setTyped} />
      <ProblemNotice problem={problem} />
    </Dialog>
  );
}
