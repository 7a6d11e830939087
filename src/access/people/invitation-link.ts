import { isId } from '@scriptorium/contracts/ids';
import type { Signer } from '../signer.ts';
import type { InvitationRef } from './sign-in.ts';

/** Separates these tokens from all other signed texts. */
const purpose = 'invitation';

/** The path of the link that accepts an invitation. No part of it is stored. */
export function invitationPath(signer: Signer, { projectId, id }: InvitationRef): string {
  return `/portal/sign-in?invitation=${signer.sign(purpose, `${projectId} ${id}`)}`;
}

/** The invitation that the token of a link names; null if the token is invalid. */
export function parseInvitationToken(signer: Signer, token: string): InvitationRef | null {
  const [projectId = '', id = ''] = signer.verify(purpose, token)?.split(' ') ?? [];
  return isId('project', projectId) && isId('invitation', id) ? { projectId, id } : null;
}
