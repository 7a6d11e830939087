import { scopes } from '@scriptorium/contracts/scopes';
import { issueKey, listProjectKeys, revokeAllKeys, revokeKeyById } from '../access/projects.ts';
import { type Command, type Given, table, UsageError } from './command.ts';

const project = { value: 'ID', summary: 'the project', required: true } as const;

export const keyCommands: Command[] = [
  {
    name: 'key list',
    options: { project },
    summary: 'list the API keys of a project',
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
      scopes: { value: 'A,B', summary: 'its scopes', required: true },
      name: { value: 'NAME', summary: 'its name' },
      'read-per-minute': { value: 'N', summary: 'its limit of reads per minute' },
      'write-per-minute': { value: 'N', summary: 'its limit of writes per minute' },
    },
    summary: 'create an API key',
    async run(given, { asOwner }) {
      const made = await asOwner((tx) =>
        issueKey(tx, given.needed('project'), {
          name: given.option('name') ?? 'Created by the operator',
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
        text: `Key      ${made.keyId}\nAPI key  ${made.secret}\nThe key is shown only once.`,
      };
    },
  },
  {
    name: 'key revoke',
    options: {
      project,
      key: { value: 'ID', summary: 'the key to revoke' },
      all: { summary: 'revoke all keys of the project' },
    },
    summary: 'revoke a key immediately',
    async run(given, { asOwner }) {
      const projectId = given.needed('project');
      const one = whichOf(given);
      if (one === null) {
        const revoked = await asOwner((tx) => revokeAllKeys(tx, projectId));
        return {
          json: { revoked },
          text:
            revoked.length > 0 ? `Revoked ${revoked.join(', ')}.` : 'There were no keys to revoke.',
        };
      }
      await asOwner((tx) => revokeKeyById(tx, projectId, one));
      return { json: { key_id: one, state: 'revoked' }, text: `Revoked ${one}.` };
    },
  },
];

function whichOf(given: Given): string | null {
  const one = given.option('key');
  if (given.flag('all') === (one !== undefined)) {
    throw new UsageError('Exactly one of --key and --all is required.');
  }
  return one ?? null;
}
