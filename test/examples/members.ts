import type { Teller } from './teller.ts';

export async function members({ tell, ask, accept }: Teller): Promise<void> {
  const issuer = 'https://login.example.com';
  const asha = { issuer, subject: '248289761001', role: 'admin', name: 'Asha Bell' };
  const admin = await tell('addMember', 'A person whose identity is known', 201, { body: asha });
  await tell('addMember', 'The person is a member already', 409, { body: asha });
  await accept(admin.json.id);
  const body = { issuer, subject: '90342.ASDFJWFA', role: 'viewer', email: 'kofi@example.com' };
  const made = await ask('addMember', 201, { body });
  const params = { id: made.json.id };
  await tell('listMembers', 'Viewers and editors', 200, { query: { role: 'viewer,editor' } });
  await tell('getMember', 'A member', 200, { params });
  await tell('updateMember', 'Change a role', 200, { params, body: { role: 'editor' } });
  await tell('updateMember', 'The last admin', 409, {
    params: { id: admin.json.id },
    body: { role: 'viewer' },
  });
  const narrow = await ask('createKey', 201, {
    body: { name: 'Onboarding', scopes: ['members:read', 'members:write'] },
  });
  await tell('createInvitation', 'A role with more scopes than the caller', 403, {
    key: narrow.json.api_key,
    body: { role: 'editor' },
  });
  const invited = await tell('createInvitation', 'An invitation for a reviewer', 201, {
    body: { role: 'reviewer', name: 'Mei Tanaka' },
  });
  const invitation = { params: { id: invited.json.id } };
  await tell('listInvitations', 'Open invitations', 200, { query: { state: 'open' } });
  await tell('getInvitation', 'An invitation', 200, invitation);
  await tell('revokeInvitation', 'Revoke an invitation', 204, invitation);
  await tell('removeMember', 'Remove a member', 204, { params });
}
