import { limits } from '@scriptorium/contracts/limits';
import { Problem } from '@scriptorium/contracts/problems';
import { roleNames, roles } from '@scriptorium/contracts/roles';
import { Id } from '@scriptorium/contracts/wire/common';
import {
  InvitationCreate,
  InvitationList,
  InvitationRecord,
  invitationStates,
  MemberCreate,
  MemberList,
  MemberPatch,
  MemberRecord,
  NewInvitationRecord,
} from '@scriptorium/contracts/wire/members';
import { commaList, listQuery, strictObject } from '@scriptorium/contracts/wire/shapes';
import { Type } from 'typebox';
import type { Identity } from '../../access/authenticate.ts';
import { roleGrantorOf } from '../../access/members/granting.ts';
import {
  createInvitation,
  loadInvitation,
  revokeInvitation,
} from '../../access/members/invitations.ts';
import { addMember, changeRole, loadMember, removeMember } from '../../access/members/members.ts';
import {
  countInvitations,
  countMembers,
  findInvitation,
  findMember,
  listInvitations,
  listMembers,
  presentInvitation,
  presentMember,
} from '../../access/members/read.ts';
import { invitationPath } from '../../access/people/invitation-link.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { publicOrigin } from '../downloads/signed-urls.ts';
import { created, noContent, ok } from '../frame/reply.ts';
import { route } from '../frame/route.ts';
import { idPageStart, page } from '../requests/cursor.ts';

const tag = 'Members';
const path = '/v1/members';

/** The roles as text, for the descriptions. */
const rolesInWords = roleNames.map((name) => `\`${name}\`: ${roles[name].summary}`).join(' ');

const list = route({
  method: 'GET',
  path,
  operationId: 'listMembers',
  tag,
  summary: 'List the members of the project, newest first.',
  description: `Roles are named sets of scopes. ${rolesInWords}`,
  scopes: ['members:read'],
  query: strictObject({
    ...listQuery(),
    role: Type.Optional(commaList(Type.Enum([...roleNames]))),
    user_id: Type.Optional(commaList(Id('user'))),
  }),
  responses: { 200: MemberList },
  handler: async (call) => {
    const { role, user_id: userId } = call.query;
    const rows = await listMembers(call.tx, { role, userId, ...idPageStart(call) });
    return page(call, rows, {
      present: presentMember,
      position: ({ id }) => [id],
      count: () => countMembers(call.tx, { role, userId }),
    });
  },
});

const add = route({
  method: 'POST',
  path,
  operationId: 'addMember',
  tag,
  summary: 'Add a person as a member, by their identity at the identity provider.',
  description: `For people whose \`sub\` at the identity provider is known, whether or not they have signed in. The membership is \`invited\` until the person accepts it at a sign-in; until then, no details of the person are shown. To invite someone else, create an invitation. A caller can grant only roles within its own scopes, and keys with IP address ranges, an expiry or lowered rates cannot change members. The maximum is ${limits.members_per_project} members per project.`,
  scopes: ['members:write'],
  body: MemberCreate,
  responses: { 201: MemberRecord },
  problems: ['already_exists', 'state_conflict', 'key_limits_exceeded'],
  // The response contains a name and an e-mail address.
  secretResponse: true,
  handler: async (call) => {
    const grantor = await roleGrantorOf(call.tx, call.key);
    const member = await addMember(call.tx, call.origin, grantor, call.body);
    return created(presentMember(member), `${path}/${member.id}`, { version: member.version });
  },
});

const get = route({
  method: 'GET',
  path: `${path}/{id}`,
  operationId: 'getMember',
  tag,
  summary: 'Get a member.',
  scopes: ['members:read'],
  params: { id: 'member' },
  responses: { 200: MemberRecord },
  load: (call) => findMember(call.tx, call.params.id),
  handler: async ({ resource }) => ok(presentMember(resource), { version: resource.version }),
});

/** A member to change, and the limits of the caller. */
async function loadToManage(call: { tx: Tx; key: Identity; params: { id: string } }) {
  const [member, grantor] = await Promise.all([
    loadMember(call.tx, call.key.projectId, call.params.id),
    roleGrantorOf(call.tx, call.key),
  ]);
  return member && { member, grantor, version: member.version };
}

const patch = route({
  method: 'PATCH',
  path: `${path}/{id}`,
  operationId: 'updateMember',
  tag,
  summary: 'Change the role of a member. It takes effect immediately.',
  description:
    'A caller can change only members whose role is within its own scopes, to a role within them. A narrower role invalidates the open invitations that the person created, directly or with keys that they created. The role of the last admin of a project cannot be changed.',
  scopes: ['members:write'],
  params: { id: 'member' },
  body: MemberPatch,
  responses: { 200: MemberRecord },
  problems: ['last_admin', 'state_conflict', 'key_limits_exceeded'],
  load: loadToManage,
  handler: async (call) => {
    const { tx, origin, resource, body } = call;
    const member = await changeRole(tx, origin, resource.grantor, resource.member, body.role);
    return ok(presentMember(member), { version: member.version });
  },
});

const remove = route({
  method: 'DELETE',
  path: `${path}/{id}`,
  operationId: 'removeMember',
  tag,
  summary: 'Remove a member. Their sessions in the project end immediately.',
  description:
    'API keys that the person created continue to work: revoke them separately. Open invitations that were created by the person or with these keys become invalid. The last admin of a project cannot be removed.',
  scopes: ['members:write'],
  params: { id: 'member' },
  responses: { 204: null },
  problems: ['last_admin', 'key_limits_exceeded'],
  load: loadToManage,
  handler: async (call) => {
    const { member, grantor } = call.resource;
    await removeMember(call.tx, call.origin, grantor, member);
    return noContent();
  },
});

const listInvites = route({
  method: 'GET',
  path: `${path}/invitations`,
  operationId: 'listInvitations',
  tag,
  summary: 'List the invitations of the project, newest first.',
  scopes: ['members:read'],
  query: strictObject({
    ...listQuery(),
    state: Type.Optional(commaList(Type.Enum([...invitationStates]))),
  }),
  responses: { 200: InvitationList },
  handler: async (call) => {
    const { state } = call.query;
    const rows = await listInvitations(call.tx, { state, ...idPageStart(call) });
    return page(call, rows, {
      present: presentInvitation,
      position: ({ id }) => [id],
      count: () => countInvitations(call.tx, { state }),
    });
  },
});

const invite = route({
  method: 'POST',
  path: `${path}/invitations`,
  operationId: 'createInvitation',
  tag,
  summary: 'Invite a person by a link.',
  description: `The first person who opens the link and signs in becomes a member with the role. The link works once, for ${limits.invitation_days} days, and is returned only in this response. It ends when its creator may no longer grant the role: a person who is demoted or removed, a key that is revoked, rolled, narrowed or given an end. Keys with IP address ranges, an expiry or lowered rates cannot invite. The maximum is ${limits.open_invitations_per_project} open invitations per project. Without an identity provider people cannot sign in, so the request returns 409 \`state_conflict\`.`,
  scopes: ['members:write'],
  body: InvitationCreate,
  responses: { 201: NewInvitationRecord },
  problems: ['state_conflict', 'key_limits_exceeded'],
  secretResponse: true,
  handler: async (call) => {
    const { tx, origin, key, deps, headers } = call;
    requireProvider(deps);
    const grantor = await roleGrantorOf(tx, key);
    const invitation = await createInvitation(tx, origin, grantor, call.body);
    const url = publicOrigin(deps.settings, headers) + invitationPath(deps.signer, invitation);
    const body = { ...presentInvitation(invitation), url };
    const { id, version } = invitation;
    return created(body, `${path}/invitations/${id}`, { version });
  },
});

const getInvite = route({
  method: 'GET',
  path: `${path}/invitations/{id}`,
  operationId: 'getInvitation',
  tag,
  summary: 'Get an invitation, without its link.',
  scopes: ['members:read'],
  params: { id: 'invitation' },
  responses: { 200: InvitationRecord },
  // An invitation expires without a change of its version.
  volatile: true,
  load: (call) => findInvitation(call.tx, call.params.id),
  handler: async ({ resource }) => ok(presentInvitation(resource), { version: resource.version }),
});

/** @throws Problem 409 if people cannot sign in, so that no link could be used */
function requireProvider({ settings }: Deps): void {
  if (settings.signIn) return;
  const detail =
    'An invited person signs in with an identity provider, and this service has none. Set OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET first, or create an API key instead.';
  throw new Problem('state_conflict', detail);
}

const revoke = route({
  method: 'DELETE',
  path: `${path}/invitations/{id}`,
  operationId: 'revokeInvitation',
  tag,
  summary: 'Revoke an invitation. Its link stops working immediately.',
  scopes: ['members:write'],
  params: { id: 'invitation' },
  responses: { 204: null },
  problems: ['state_conflict', 'key_limits_exceeded'],
  load: async (call) => {
    const [invitation, grantor] = await Promise.all([
      loadInvitation(call.tx, call.key.projectId, call.params.id),
      roleGrantorOf(call.tx, call.key),
    ]);
    return invitation && { invitation, grantor, version: invitation.version };
  },
  handler: async (call) => {
    const { invitation, grantor } = call.resource;
    await revokeInvitation(call.tx, call.origin, grantor, invitation);
    return noContent();
  },
});

export const memberRoutes = [list, add, get, patch, remove, listInvites, invite, getInvite, revoke];
