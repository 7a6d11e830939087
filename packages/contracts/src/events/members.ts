import { type Static, Type } from 'typebox';
import { roleNames } from '../roles.ts';
import { memberSources } from '../wire/members.ts';
import { auditEvent, strictOptions } from './event-type.ts';

const role = Type.Enum([...roleNames]);
const source = Type.Enum([...memberSources]);
/** The name at the time of the event, so that it stays readable after the person has left. */
const name = Type.Union([Type.String(), Type.Null()]);

const memberFacts = Type.Object({ user_id: Type.String(), name, role, source }, strictOptions);
const memberExample: Static<typeof memberFacts> = {
  user_id: 'usr_01m7gtek0sx6hv4x5fqk2v9d3e',
  name: 'Asha Bell',
  role: 'editor',
  source: 'invitation',
};
const invitationFacts = Type.Object({ role, expires_at: Type.String() }, strictOptions);
const invitationExample: Static<typeof invitationFacts> = {
  role: 'editor',
  expires_at: '2026-02-07T12:00:00.000Z',
};

/** People in a project. Never the person's e-mail address. */
export const memberEvents = {
  'access.member.added': auditEvent(
    'member',
    'A person became a member of the project, or was added and has not accepted yet (`source` is `added`).',
    memberFacts,
    memberExample,
  ),
  'access.member.accepted': auditEvent(
    'member',
    'A person who had been added accepted the membership.',
    memberFacts,
    { ...memberExample, source: 'added' },
  ),
  'access.member.role_changed': auditEvent(
    'member',
    'The role of a member changed.',
    Type.Object({ user_id: Type.String(), name, from: role, to: role, source }, strictOptions),
    {
      user_id: memberExample.user_id,
      name: memberExample.name,
      from: 'viewer',
      to: 'editor',
      source: 'added',
    },
  ),
  'access.member.removed': auditEvent(
    'member',
    'A member was removed, or left or declined. Their sessions in the project ended.',
    memberFacts,
    memberExample,
  ),
  'access.member.invited': auditEvent(
    'invitation',
    'An invitation was created.',
    invitationFacts,
    invitationExample,
  ),
  'access.member.invitation_revoked': auditEvent(
    'invitation',
    'An invitation was revoked before it was accepted.',
    invitationFacts,
    invitationExample,
  ),
} as const;
