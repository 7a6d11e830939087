import { grantsRole } from '@scriptorium/contracts/roles';
import type { InvitationRecord, MemberRecord } from '@scriptorium/contracts/wire/members';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Route, Switch } from 'wouter-preact';
import { useAction, useList } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { Button } from '../../kit/button.tsx';
import { ListTable } from '../../kit/list-table.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import { Empty, PageNotFound } from '../../kit/states.tsx';
import { type Column, Table } from '../../kit/table.tsx';
import { Time } from '../../kit/values.tsx';
import { useSession } from '../../shell/session.tsx';
import { ChangeRoleDialog, InviteDialog, RemoveMemberDialog } from './dialogs.tsx';
import { memberName } from './member-name.ts';
import { roleTitle } from './role-field.tsx';

export default function Members() {
  return (
    <Switch>
      <Route path="/" component={MemberList} />
      <Route component={PageNotFound} />
    </Switch>
  );
}

/** Lists the members of the project and the open invitations. */
function MemberList() {
  const { session, can } = useSession();
  const members = useList(requestFor('listMembers'));
  const invitations = useList(requestFor('listInvitations', { state: 'open' }));
  const [dialog, setDialog] = useState<ComponentChildren>(null);
  const close = () => setDialog(null);
  const renderActions = (member: MemberRecord) => (
    <MemberActions
      member={member}
      onChange={() =>
        setDialog(<ChangeRoleDialog member={member} onClose={close} onDone={members.reload} />)
      }
      onRemove={() =>
        setDialog(<RemoveMemberDialog member={member} onClose={close} onDone={members.reload} />)
      }
    />
  );
  return (
    <>
      <PageHead
        title="Members"
        about="People who sign in to this project. A role is a named set of scopes."
        calls={[
          ['List members', requestFor('listMembers')],
          ['List open invitations', requestFor('listInvitations', { state: 'open' })],
        ]}
        primary={
          can('members:write') && (
            <Button
              primary
              icon="invite"
              onClick={() =>
                setDialog(<InviteDialog onClose={close} onDone={invitations.reload} />)
              }
            >
              Invite a person
            </Button>
          )
        }
      />
      <ListTable
        list={members}
        nouns={['member', 'members']}
        label="Members"
        keyOf={({ id }) => id}
        columns={[
          ...columnsFor(session.user?.id),
          { title: 'Actions', kind: 'actions', show: renderActions },
        ]}
        empty={
          <Empty icon="members" title="No members">
            Invite the first person with a link.
          </Empty>
        }
      />
      {(members.firstPage || members.problem) && invitations.items.length > 0 && (
        <Invitations invitations={invitations.items} onDone={invitations.reload} />
      )}
      {dialog}
    </>
  );
}

const columnsFor = (ownUserId: string | undefined): Column<MemberRecord>[] => [
  {
    title: 'Name',
    show: (member) => (
      <>
        <bdi>{memberName(member)}</bdi>{' '}
        {member.user_id === ownUserId && <span class="badge">you</span>}
        {member.state === 'invited' && <span class="badge">not accepted yet</span>}
        {member.name !== null && member.email !== null && (
          <div class="soft">
            <bdi>{member.email}</bdi>
          </div>
        )}
      </>
    ),
  },
  {
    title: 'Role',
    show: ({ role, source }) => (
      <>
        {roleTitle(role)}
        {source === 'groups' && <div class="soft">by groups</div>}
      </>
    ),
  },
  { title: 'Member since', show: ({ created_at }) => <Time at={created_at} /> },
];

function MemberActions(props: {
  member: MemberRecord;
  onChange: () => void;
  onRemove: () => void;
}) {
  const { session, can } = useSession();
  const member = props.member;
  if (!can('members:write') || !grantsRole(session.scopes, member.role)) return null;
  return (
    <div class="row">
      {member.source !== 'groups' && (
        <Button small label={`Change role of ${memberName(member)}`} onClick={props.onChange}>
          Change role
        </Button>
      )}
      <Button small danger label={`Remove ${memberName(member)}`} onClick={props.onRemove}>
        Remove
      </Button>
    </div>
  );
}

function Invitations(props: { invitations: readonly InvitationRecord[]; onDone: () => void }) {
  const { can } = useSession();
  const { run, busy } = useAction();
  const revoke = async (id: string) => {
    if (await run(requestFor('revokeInvitation', { id }))) props.onDone();
  };
  return (
    <section class="stack" aria-labelledby="members-invited">
      <h2 id="members-invited">Open invitations</h2>
      <Table
        label="Open invitations"
        items={props.invitations}
        keyOf={({ id }) => id}
        columns={[
          {
            title: 'For',
            show: ({ id, name }) =>
              name === null ? <span class="mono">{id}</span> : <bdi>{name}</bdi>,
          },
          { title: 'Role', show: ({ role }) => roleTitle(role) },
          { title: 'Expires', show: ({ expires_at }) => <Time at={expires_at} /> },
          {
            title: 'Actions',
            kind: 'actions',
            show: ({ id, name }) =>
              can('members:write') && (
                <Button
                  small
                  busy={busy}
                  label={`Revoke the invitation for ${name ?? id}`}
                  onClick={() => void revoke(id)}
                >
                  Revoke
                </Button>
              ),
          },
        ]}
      />
    </section>
  );
}
