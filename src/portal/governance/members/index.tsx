import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Route, Switch } from 'wouter-preact';
import { grantsRole } from '../../../contracts/roles.ts';
import type { InvitationRecord, MemberRecord } from '../../../contracts/wire/members.ts';
import { useAction, useList } from '../../api/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { More } from '../../kit/more.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import { Empty, Loading, PageNotFound, ProblemState } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { Time } from '../../kit/values.tsx';
import { useSession } from '../../shell/session.tsx';
import { ChangeRole, Invite, Remove } from './dialogs.tsx';
import { listInvitations, listMembers, nameOf, revokeInvitation } from './requests.ts';

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
  const { can } = useSession();
  const members = useList(listMembers());
  const invitations = useList(listInvitations());
  const [dialog, setDialog] = useState<ComponentChildren>(null);
  const close = () => setDialog(null);
  return (
    <>
      <PageHead
        title="Members"
        about="People who sign in to this project. A role is a named set of scopes."
        calls={[
          ['List members', listMembers()],
          ['List open invitations', listInvitations()],
        ]}
        primary={
          can('members:write') && (
            <Button
              primary
              onClick={() => setDialog(<Invite onClose={close} onDone={invitations.reload} />)}
            >
              Invite a person
            </Button>
          )
        }
      />
      {members.problem ? (
        <ProblemState problem={members.problem} onRetry={members.reload} />
      ) : members.loading && members.items.length === 0 ? (
        <Loading what="members" />
      ) : members.items.length === 0 ? (
        <Empty title="No members">Invite the first person by a link.</Empty>
      ) : (
        <>
          <Table label="Members" headings={['Name', 'Role', 'Member since', ['Actions', 'hidden']]}>
            {members.items.map((member) => (
              <Row
                key={member.id}
                of={member}
                onChange={() =>
                  setDialog(<ChangeRole of={member} onClose={close} onDone={members.reload} />)
                }
                onRemove={() =>
                  setDialog(<Remove of={member} onClose={close} onDone={members.reload} />)
                }
              />
            ))}
          </Table>
          <More list={members} nouns={['member', 'members']} />
        </>
      )}
      {invitations.items.length > 0 && (
        <Invitations of={invitations.items} onDone={invitations.reload} />
      )}
      {dialog}
    </>
  );
}

function Row(props: { of: MemberRecord; onChange: () => void; onRemove: () => void }) {
  const { session, can } = useSession();
  const member = props.of;
  const mayManage = can('members:write') && grantsRole(session.scopes, member.role);
  return (
    <tr>
      <td>
        <bdi>{nameOf(member)}</bdi>{' '}
        {member.user_id === session.user?.id && <span class="badge">you</span>}
        {member.name !== null && member.email !== null && (
          <div class="soft">
            <bdi>{member.email}</bdi>
          </div>
        )}
      </td>
      <td>
        {member.role}
        {member.source === 'groups' && <div class="soft">by groups</div>}
      </td>
      <td>
        <Time at={member.created_at} />
      </td>
      <td>
        {mayManage && (
          <div class="row">
            {member.source !== 'groups' && (
              <Button label={`Change role of ${nameOf(member)}`} onClick={props.onChange}>
                Change role
              </Button>
            )}
            <Button danger label={`Remove ${nameOf(member)}`} onClick={props.onRemove}>
              Remove
            </Button>
          </div>
        )}
      </td>
    </tr>
  );
}

function Invitations(props: { of: readonly InvitationRecord[]; onDone: () => void }) {
  const { can } = useSession();
  const { run, busy } = useAction();
  const revoke = async (id: string) => {
    if (await run(revokeInvitation(id))) props.onDone();
  };
  return (
    <>
      <h2>Open invitations</h2>
      <Table label="Open invitations" headings={['For', 'Role', 'Expires', ['Actions', 'hidden']]}>
        {props.of.map(({ id, name, role, expires_at }) => (
          <tr key={id}>
            <td>{name === null ? <span class="mono">{id}</span> : <bdi>{name}</bdi>}</td>
            <td>{role}</td>
            <td>
              <Time at={expires_at} />
            </td>
            <td>
              {can('members:write') && (
                <Button
                  busy={busy}
                  label={`Revoke the invitation for ${name ?? id}`}
                  onClick={() => void revoke(id)}
                >
                  Revoke
                </Button>
              )}
            </td>
          </tr>
        ))}
      </Table>
    </>
  );
}
