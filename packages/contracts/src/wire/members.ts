import { type Static, Type } from 'typebox';
import { limits } from '../limits.ts';
import { roleNames } from '../roles.ts';
import { ActorRecord, Id, Nullable, Time } from './common.ts';
import { listSchema, strictObject } from './shapes.ts';

export const memberSources = ['added', 'invitation', 'groups'] as const;
export type MemberSource = (typeof memberSources)[number];

const memberStates = ['invited', 'active'] as const;
export type MemberState = (typeof memberStates)[number];

export const invitationStates = ['open', 'accepted', 'revoked', 'expired'] as const;
export type InvitationState = (typeof invitationStates)[number];

const RoleName = Type.Enum([...roleNames]);
const personName = Type.String({ minLength: 1, maxLength: 200 });
const version = Type.Integer({ minimum: 1 });
const scopeList = Type.Array(Type.String(), { description: 'The scopes of the role.' });

export const MemberRecord = strictObject(
  {
    id: Id('member'),
    project_id: Id('project'),
    user_id: Id('user'),
    state: Type.Enum([...memberStates], {
      description:
        '`invited` until the person has accepted a membership that the project has added. Until then, only the details given by the project are shown.',
    }),
    issuer: Type.Union([Type.String(), Type.Null()], {
      description: 'As given when the person was added; otherwise null.',
    }),
    subject: Nullable(Type.String()),
    name: Type.Union([Type.String(), Type.Null()], {
      description:
        'As the identity provider gave it at the last sign-in. While `invited`, as given by the project.',
    }),
    email: Nullable(Type.String()),
    role: RoleName,
    scopes: scopeList,
    source: Type.Enum([...memberSources], {
      description:
        'How the person became a member. The role of a member from `groups` is set by the identity provider at each sign-in.',
    }),
    created_at: Time,
    updated_at: Time,
    version,
  },
  { title: 'Member' },
);
export type MemberRecord = Static<typeof MemberRecord>;
export const MemberList = listSchema(MemberRecord);

export const issuerPattern = '^https?://[^\\s]{1,500}$';

export const MemberCreate = strictObject(
  {
    issuer: Type.String({
      pattern: issuerPattern,
      description: 'The issuer of the identity provider, as in its ID tokens (`iss`).',
    }),
    subject: Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'The person at the identity provider, as in its ID tokens (`sub`).',
    }),
    role: RoleName,
    name: Type.Optional(Nullable(personName)),
    email: Type.Optional(Nullable(Type.String({ minLength: 3, maxLength: 320 }))),
  },
  { title: 'MemberCreate' },
);
export type MemberCreate = Static<typeof MemberCreate>;

export const MemberPatch = strictObject({ role: RoleName }, { title: 'MemberPatch' });
export type MemberPatch = Static<typeof MemberPatch>;

const invitationFields = {
  id: Id('invitation'),
  project_id: Id('project'),
  name: Type.Union([Type.String(), Type.Null()], { description: 'For whom it is, as given.' }),
  role: RoleName,
  scopes: scopeList,
  state: Type.Enum([...invitationStates]),
  created_by: ActorRecord,
  accepted_by: Nullable(Id('user')),
  accepted_at: Nullable(Time),
  revoked_at: Nullable(Time),
  expires_at: Time,
  created_at: Time,
  version,
};

export const InvitationRecord = strictObject(invitationFields, { title: 'Invitation' });
export type InvitationRecord = Static<typeof InvitationRecord>;
export const InvitationList = listSchema(InvitationRecord);

export const NewInvitationRecord = strictObject(
  {
    ...invitationFields,
    url: Type.String({
      description: `The link to send. It works once, for ${limits.invitation_days} days, and is shown only here.`,
    }),
  },
  { title: 'NewInvitation' },
);

export const InvitationCreate = strictObject(
  { role: RoleName, name: Type.Optional(Nullable(personName)) },
  { title: 'InvitationCreate' },
);
export type InvitationCreate = Static<typeof InvitationCreate>;
