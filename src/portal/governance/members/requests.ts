import type { Static } from 'typebox';
import type { Role } from '../../../contracts/roles.ts';
import type {
  InvitationCreate,
  InvitationList,
  MemberList,
  MemberRecord,
  NewInvitationRecord,
} from '../../../contracts/wire/members.ts';
import type { ApiRequest } from '../../api/request.ts';

const path = '/v1/members';

export const listMembers = (
  query: { limit?: number } = {},
): ApiRequest<Static<typeof MemberList>> => ({ method: 'GET', path, query });

/** What a member is called. */
export const nameOf = ({ name, email, subject, user_id: id }: MemberRecord): string =>
  name ?? email ?? subject ?? id;

export const changeRole = (
  { id, version }: MemberRecord,
  role: Role,
): ApiRequest<MemberRecord> => ({
  method: 'PATCH',
  path: `${path}/${id}`,
  headers: { 'If-Match': `"${version}"` },
  body: { role },
});

export const removeMember = ({ id }: MemberRecord): ApiRequest<null> => ({
  method: 'DELETE',
  path: `${path}/${id}`,
});

export const listInvitations = (): ApiRequest<Static<typeof InvitationList>> => ({
  method: 'GET',
  path: `${path}/invitations`,
  query: { state: 'open' },
});

export const invite = (body: InvitationCreate): ApiRequest<Static<typeof NewInvitationRecord>> => ({
  method: 'POST',
  path: `${path}/invitations`,
  body,
});

export const revokeInvitation = (id: string): ApiRequest<null> => ({
  method: 'DELETE',
  path: `${path}/invitations/${id}`,
});
