import type { ShareKind, ShareRecord } from '@scriptorium/contracts/wire/library/shares';
import { useState } from 'preact/hooks';
import { useAction } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { SelectField } from '../../kit/fields/field.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { toast } from '../../kit/toasts.tsx';
import { CopyButton } from '../../kit/values.tsx';
import { absoluteUrlOf, ShareFields, shareBodyOf, useShareDraft } from './form.tsx';

interface DialogProps {
  onClose: () => void;
  onDone?: () => void;
}

/** Creates a link to an object or a collection, or for uploads into a collection, and shows it. */
export function ShareDialog({
  of: target,
  name,
  mayUpload,
  onClose,
  onDone,
}: DialogProps & {
  of: { object_id: string } | { collection_id: string };
  name: string;
  mayUpload: boolean;
}) {
  const [kind, setKind] = useState<ShareKind>('view');
  const [createdShare, setCreatedShare] = useState<ShareRecord | null>(null);
  const { draft, edit } = useShareDraft(kind, null);
  const { run, busy, problem } = useAction({ quiet: true });
  const request = requestFor('createShare', {
    body: { kind, ...target, ...shareBodyOf(kind, draft) },
  });
  const create = async () => {
    const answer = await run(request);
    if (!answer) return;
    setCreatedShare(answer.data);
    onDone?.();
  };
  const link = createdShare && absoluteUrlOf(createdShare);
  if (link) {
    return (
      // A separate dialog from the form, so that it receives the focus and does not resize.
      <Dialog
        key="link"
        title="Link created"
        onClose={onClose}
        footer={<Button onClick={onClose}>Done</Button>}
      >
        <p>Anyone can open this link. You can revoke it in the list of shares.</p>
        <p class="code">{link}</p>
        <div class="row">
          <CopyButton text={link} subject="link">
            Copy link
          </CopyButton>
        </div>
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={`Share “${name}”`}
      onClose={onClose}
      onSubmit={create}
      action="Create link"
      busy={busy}
      calls={[['Create share', request]]}
      problem={problem}
    >
      {'collection_id' in target && mayUpload && (
        <SelectField
          label="Visitors can"
          value={kind}
          onChange={(value) => setKind(value === 'upload' ? 'upload' : 'view')}
          options={[
            ['view', 'View the collection'],
            ['upload', 'Upload files to the collection'],
          ]}
        />
      )}
      <ShareFields kind={kind} draft={draft} edit={edit} problem={problem} />
    </FormDialog>
  );
}

export function EditShareDialog({ of: share, onClose, onDone }: DialogProps & { of: ShareRecord }) {
  const { draft, edit } = useShareDraft(share.kind, share);
  const { run, busy, problem } = useAction({ quiet: true });
  const request = requestFor('updateShare', {
    id: share.id,
    version: share.version,
    body: shareBodyOf(share.kind, draft, share),
  });
  const save = async () => {
    if (!(await run(request))) return;
    toast('good', 'Share changed.');
    onDone?.();
    onClose();
  };
  return (
    <FormDialog
      title="Change share"
      onClose={onClose}
      onSubmit={save}
      action="Save"
      busy={busy}
      calls={[['Update share', request]]}
      problem={problem}
    >
      <ShareFields kind={share.kind} draft={draft} edit={edit} problem={problem} />
    </FormDialog>
  );
}

export function RevokeShareDialog({
  of: share,
  onClose,
  onDone,
}: DialogProps & { of: ShareRecord }) {
  const { run, busy, problem } = useAction({ quiet: true });
  const revoke = async () => {
    if (!(await run(requestFor('revokeShare', { id: share.id })))) return;
    toast('good', 'Share revoked.');
    onDone?.();
    onClose();
  };
  return (
    <FormDialog
      title="Revoke this share?"
      action="Revoke share"
      danger
      busy={busy}
      problem={problem}
      onSubmit={revoke}
      onClose={onClose}
    >
      <p>The link stops working immediately, for everyone, and cannot be restored.</p>
    </FormDialog>
  );
}
