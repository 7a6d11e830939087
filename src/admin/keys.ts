import { issueKey, listProjectKeys, revokeAllKeys, revokeKeyById } from '../access/projects.ts';
import { scopes } from '../contracts/scopes.ts';
import { type Command, type Given, table, UsageError } from './command.ts';

const project = { value: 'ID', summary: 'whose', required: true } as const;

export const keyCommands: Command[] = [
  {
    name: 'key list',
    options: { project },
    summary: 'the keys of a project, never their secrets',
    async run(given, { inProject }) {
      const keys = await inProject(given.needed('project'), listProjectKeys);
      return {
        json: { keys },
        text: table(
          ['KEY', 'PREFIX', 'NAME', 'STATE', 'LAST USED', 'SCOPES'],
          keys.map((key) => [
            key.id,
            key.prefix,
            key.name,
            key.state,
            key.last_used_at,
            key.scopes.join(','),
          ]),
        ),
      };
    },
  },
  {
    name: 'key create',
    options: {
      project,
      scopes: { value: 'A,B', summary: 'what it may do', required: true },
      name: { value: 'NAME', summary: 'what it is called' },
      'read-per-minute': { value: 'N', summary: 'its rate, instead of everybody’s' },
      'write-per-minute': { value: 'N', summary: 'the same for changes' },
    },
    summary: 'another key',
    async run(given, { asOwner }) {
      const made = await asOwner((tx) =>
        issueKey(tx, given.needed('project'), {
          name: given.option('name') ?? 'Made by the operator',
          scopes: given
            .needed('scopes')
            .split(',')
            .map((scope) => given.oneOf('scope', scope.trim(), scopes)),
          read_per_minute: given.count('read-per-minute'),
          write_per_minute: given.count('write-per-minute'),
        }),
      );
      return {
        json: { key_id: made.keyId, api_key: made.secret },
        text: `Key      ${made.keyId}\nAPI key  ${made.secret}\nThe key is not shown again.`,
      };
    },
  },
  {
    name: 'key revoke',
    options: {
      project,
      key: { value: 'ID', summary: 'which one' },
      all: { summary: 'all that are left: nobody gets in any more' },
    },
    summary: 'ends a key at once, in every process',
    async run(given, { asOwner }) {
      const projectId = given.needed('project');
      const one = whichOf(given);
      if (one === null) {
        const revoked = await asOwner((tx) => revokeAllKeys(tx, projectId));
        return { json: { revoked }, text: `Revoked ${revoked.join(', ') || 'none'}.` };
      }
      await asOwner((tx) => revokeKeyById(tx, projectId, one));
      return { json: { key_id: one, state: 'revoked' }, text: `Revoked ${one}.` };
    },
  },
];

function whichOf(given: Given): string | null {
  const one = given.option('key');
  if (given.flag('all') === (one !== undefined)) {
    throw new UsageError('Either --key or --all says which to revoke.');
  }
  return one ?? null;
}
