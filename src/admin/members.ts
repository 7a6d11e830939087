import { roleNames } from '@scriptorium/contracts/roles';
import { createInvitation } from '../access/members/invitations.ts';
import { invitationPath } from '../access/people/invitation-link.ts';
import { operatorOrigin } from '../access/projects.ts';
import type { Command } from './command.ts';

export const memberCommands: Command[] = [
  {
    name: 'member invite',
    args: ['PROJECT'],
    options: {
      role: { value: 'ROLE', summary: 'their role (default: admin)' },
      name: { value: 'NAME', summary: 'who the link is for' },
    },
    summary: 'create a link that makes a person a member',
    async run(input, { inProject, settings }) {
      const projectId = input.arg('PROJECT');
      const { publicUrl, signer } = settings.linkSettings();
      const role = input.oneOf('role', input.option('role') ?? 'admin', roleNames);
      const name = input.option('name') ?? null;
      const invitation = await inProject(projectId, (tx) =>
        // The operator may grant every role.
        createInvitation(tx, operatorOrigin(projectId), { scopes: ['*'] }, { role, name }),
      );
      const url = publicUrl + invitationPath(signer, invitation);
      const expires = invitation.expiresAt.toISOString();
      return {
        json: { invitation_id: invitation.id, role, url, expires_at: expires },
        text: `Role     ${role}\nLink     ${url}\nExpires  ${expires}\nThe link works once and is shown only once.`,
      };
    },
  },
];
