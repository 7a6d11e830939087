import { Type } from 'typebox';
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
import { limits } from '../../contracts/limits.ts';
import { roleNames, roles } from '../../contracts/roles.ts';
import { Id } from '../../contracts/wire/common.ts';
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
} from '../../contracts/wire/members.ts';
import { commaList, listQuery, strictObject } from '../../contracts/wire/shapes.ts';
import { publicOrigin } from '../downloads/signed-urls.ts';
import { created, noContent, ok } from '../frame/reply.ts';
import { route } from '../frame/route.ts';
import { page, readCursor, wantsTotal } from '../requests/cursor.ts';

const tag = 'Members';
const path = '/v1/members';

/** The roles in words, for the descriptions. */
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
    const { limit, role, user_id: userId } = call.query;
    const before = readCursor(call)?.[0]?.toString();
    const rows = await listMembers(call.tx, { role, userId, before, limit: limit + 1 });
    return page(call, rows, {
      present: presentMember,
      position: ({ id }) => [id],
      total: wantsTotal(call) ? await countMembers(call.tx, { role, userId }) : null,
    });
  },
});

const add = route({
  method: 'POST',
  path,
  operationId: 'addMember',
  tag,
  summary: 'Make a person a member, by their identity at the provider.',
  description: `For people whose \`sub\` at the identity provider is known, whether or not they have signed in. To invite someone else, create an invitation. A caller can grant only roles within its own scopes. The maximum is ${limits.members_per_project} members per project.`,
  scopes: ['members:write'],
  body: MemberCreate,
  responses: { 201: MemberRecord },
  problems: ['already_exists', 'state_conflict'],
  // It has a name and an e-mail address.
  secretResponse: true,
  handler: async (call) => {
    const member = await addMember(call.tx, call.origin, call.key, call.body);
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

const patch = route({
  method: 'PATCH',
  path: `${path}/{id}`,
  operationId: 'updateMember',
  tag,
  summary: 'Change the role of a member. It takes effect immediately.',
  description:
    'A caller can change only members whose role is within its own scopes, to a role within them. The last admin of a project cannot become anything else.',
  scopes: ['members:write'],
  params: { id: 'member' },
  body: MemberPatch,
  responses: { 200: MemberRecord },
  problems: ['last_admin', 'state_conflict'],
  load: (call) => loadMember(call.tx, call.key.projectId, call.params.id),
  handler: async (call) => {
    const { tx, origin, key, resource, body } = call;
    const member = await changeRole(tx, origin, key, resource, body.role);
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
    'API keys that the person created continue to work: revoke them separately. The last admin of a project cannot be removed.',
  scopes: ['members:write'],
  params: { id: 'member' },
  responses: { 204: null },
  problems: ['last_admin'],
  load: (call) => loadMember(call.tx, call.key.projectId, call.params.id),
  handler: async (call) => {
    await removeMember(call.tx, call.origin, call.key, call.resource);
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
    const { limit, state } = call.query;
    const before = readCursor(call)?.[0]?.toString();
    const rows = await listInvitations(call.tx, { state, before, limit: limit + 1 });
    return page(call, rows, {
      present: presentInvitation,
      position: ({ id }) => [id],
      total: wantsTotal(call) ? await countInvitations(call.tx, { state }) : null,
    });
  },
});

const invite = route({
  method: 'POST',
  path: `${path}/invitations`,
  operationId: 'createInvitation',
  tag,
  summary: 'Invite a person by a link.',
  description: `The first person who opens the link and signs in becomes a member with the role. The link works once, for ${limits.invitation_days} days, and is returned only in this response. The maximum is ${limits.open_invitations_per_project} open invitations per project.`,
  scopes: ['members:write'],
  body: InvitationCreate,
  responses: { 201: NewInvitationRecord },
  problems: ['state_conflict'],
  secretResponse: true,
  handler: async (call) => {
    const { tx, origin, key, deps, headers } = call;
    const invitation = await createInvitation(tx, origin, key, call.body);
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
  // It expires without a change of its version.
  volatile: true,
  load: (call) => findInvitation(call.tx, call.params.id),
  handler: async ({ resource }) => ok(presentInvitation(resource), { version: resource.version }),
});

const revoke = route({
  method: 'DELETE',
  path: `${path}/invitations/{id}`,
  operationId: 'revokeInvitation',
  tag,
  summary: 'Revoke an invitation. Its link stops working immediately.',
  scopes: ['members:write'],
  params: { id: 'invitation' },
  responses: { 204: null },
  problems: ['state_conflict'],
  load: (call) => loadInvitation(call.tx, call.key.projectId, call.params.id),
  handler: async (call) => {
    await revokeInvitation(call.tx, call.origin, call.key, call.resource);
    return noContent();
  },
});

export const memberRoutes = [list, add, get, patch, remove, listInvites, invite, getInvite, revoke];
