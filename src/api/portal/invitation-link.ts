import type { Signer } from '../../access/signer.ts';

/** Separates these tokens from everything else that is signed. */
const purpose = 'invitation';

/** Which invitation a link is of. */
interface Invited {
  projectId: string;
  id: string;
}

/** The path of the link that accepts an invitation. Nothing of it is stored. */
export function invitationPath(signer: Signer, { projectId, id }: Invited): string {
  return `/portal/sign-in?invitation=${signer.sign(purpose, `${projectId} ${id}`)}`;
}
