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
import { ChangeRole, Invite, Remove } from './dialogs.tsx';
import { nameOf } from './name-of.ts';
import { roleTitle } from './role-field.tsx';

export default function Members() {
  return (
    <Switch>
      <Route path="/" component={MemberList} />
      <Route component={PageNotFound} />
    </Switch>
  );
}

/** The people of the project, and open invitations. */
function MemberList() {
  const { session, can } = useSession();
  const members = useList(requestFor('listMembers'));
  const invitations = useList(requestFor('listInvitations', { state: 'open' }));
  const [dialog, setDialog] = useState<ComponentChildren>(null);
  const close = () => setDialog(null);
  const actions = (member: MemberRecord) => (
    <Actions
      of={member}
      onChange={() => setDialog(<ChangeRole of={member} onClose={close} onDone={members.reload} />)}
      onRemove={() => setDialog(<Remove of={member} onClose={close} onDone={members.reload} />)}
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
              onClick={() => setDialog(<Invite onClose={close} onDone={invitations.reload} />)}
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
          { title: 'Actions', kind: 'actions', show: actions },
        ]}
        empty={
          <Empty icon="members" title="No members">
            Invite the first person by a link.
          </Empty>
        }
      />
      {(members.first || members.problem) && invitations.items.length > 0 && (
        <Invitations of={invitations.items} onDone={invitations.reload} />
      )}
      {dialog}
    </>
  );
}

const columnsFor = (own: string | undefined): Column<MemberRecord>[] => [
  {
    title: 'Name',
    show: (member) => (
      <>
        <bdi>{nameOf(member)}</bdi> {member.user_id === own && <span class="badge">you</span>}
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

function Actions(props: { of: MemberRecord; onChange: () => void; onRemove: () => void }) {
  const { session, can } = useSession();
  const member = props.of;
  if (!can('members:write') || !grantsRole(session.scopes, member.role)) return null;
  return (
    <div class="row">
      {member.source !== 'groups' && (
        <Button small label={`Change role of ${nameOf(member)}`} onClick={props.onChange}>
          Change role
        </Button>
      )}
      <Button small danger label={`Remove ${nameOf(member)}`} onClick={props.onRemove}>
        Remove
      </Button>
    </div>
  );
}

function Invitations(props: { of: readonly InvitationRecord[]; onDone: () => void }) {
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
        items={props.of}
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
