import type { Role } from '@scriptorium/contracts/roles';
import type { MemberRecord } from '@scriptorium/contracts/wire/members';
import { useState } from 'preact/hooks';
import { useAction } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { SecretDialog } from '../../developers/secret-dialog.tsx';
import { TextField } from '../../kit/fields/field.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { toast } from '../../kit/toasts.tsx';
import { memberName } from './member-name.ts';
import { RoleField } from './role-field.tsx';

interface DialogProps {
  onClose: () => void;
  onDone: () => void;
}

/** Creates an invitation and shows its link once. */
export function InviteDialog({ onClose, onDone }: DialogProps) {
  const [role, setRole] = useState<Role>('viewer');
  const [name, setName] = useState('');
  const [url, setUrl] = useState<string | null>(null);
  const { run, busy, problem } = useAction({ quiet: true });
  const create = async () => {
    const response = await run(
      requestFor('createInvitation', { body: { role, name: name.trim() || null } }),
    );
    if (!response) return;
    setUrl(response.data.url);
    onDone();
  };
  if (url !== null) {
    return (
      <SecretDialog
        title="Invitation"
        what="link"
        secret={url}
        advice="Send it to the person. The first person who opens it and signs in becomes a member."
        onClose={onClose}
      />
    );
  }
  return (
    <FormDialog
      title="Invite a person"
      onClose={onClose}
      onSubmit={create}
      action="Create link"
      busy={busy}
      problem={problem}
    >
      <p>The link works once, for 7 days. The person signs in and becomes a member.</p>
      <TextField
        label="For whom"
        hint="Optional, to recognise the invitation."
        value={name}
        onInput={setName}
      />
      <RoleField value={role} onChange={setRole} />
    </FormDialog>
  );
}

export function ChangeRoleDialog({
  member,
  onClose,
  onDone,
}: DialogProps & { member: MemberRecord }) {
  const [role, setRole] = useState<Role>(member.role);
  const { run, busy, problem } = useAction({ quiet: true });
  const save = async () => {
    if (
      !(await run(
        requestFor('updateMember', { id: member.id, version: member.version, body: { role } }),
      ))
    )
      return;
    toast('good', `${memberName(member)} is now ${role}.`);
    onDone();
    onClose();
  };
  return (
    <FormDialog
      title={`Role of ${memberName(member)}`}
      onClose={onClose}
      onSubmit={save}
      action="Save"
      busy={busy}
      problem={problem}
    >
      <RoleField value={role} onChange={setRole} />
    </FormDialog>
  );
}

export function RemoveMemberDialog({
  member,
  onClose,
  onDone,
}: DialogProps & { member: MemberRecord }) {
  const { run, busy, problem } = useAction({ quiet: true });
  const remove = async () => {
    if (!(await run(requestFor('removeMember', { id: member.id })))) return;
    toast('good', `${memberName(member)} removed.`);
    onDone();
    onClose();
  };
  return (
    <FormDialog
      title={`Remove ${memberName(member)}?`}
      action="Remove member"
      danger
      busy={busy}
      problem={problem}
      onSubmit={remove}
      onClose={onClose}
    >
      <p>
        Their sessions in this project, their open invitations and the signed URLs that they created
        end immediately. API keys that they created continue to work; revoke them under API keys.
      </p>
      {member.source === 'groups' && (
        <p class="notice warn">
          The groups of the identity provider make this person a member again at the next sign-in.
        </p>
      )}
    </FormDialog>
  );
}
