import { scopes } from '@scriptorium/contracts/scopes';
import { issueKey, listProjectKeys, revokeAllKeys, revokeKeyById } from '../access/projects.ts';
import { type Command, type CommandInput, formatTable, UsageError } from './command.ts';

const project = { value: 'ID', summary: 'the project', required: true } as const;

export const keyCommands: Command[] = [
  {
    name: 'key list',
    options: { project },
    summary: 'list the API keys of a project',
    async run(input, { inProject }) {
      const keys = await inProject(input.requiredOption('project'), listProjectKeys);
      return {
        json: { keys },
        text: formatTable(
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
    async run(input, { asOwner }) {
      const created = await asOwner((tx) =>
        issueKey(tx, input.requiredOption('project'), {
          name: input.option('name') ?? 'Created by the operator',
          scopes: input
            .requiredOption('scopes')
            .split(',')
            .map((scope) => input.oneOf('scope', scope.trim(), scopes)),
          read_per_minute: input.positiveInteger('read-per-minute'),
          write_per_minute: input.positiveInteger('write-per-minute'),
        }),
      );
      return {
        json: { key_id: created.keyId, api_key: created.secret },
        text: `Key      ${created.keyId}\nAPI key  ${created.secret}\nThe key is shown only once.`,
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
    async run(input, { asOwner }) {
      const projectId = input.requiredOption('project');
      const keyId = selectedKey(input);
      if (keyId === null) {
        const revoked = await asOwner((tx) => revokeAllKeys(tx, projectId));
        return {
          json: { revoked },
          text:
            revoked.length > 0 ? `Revoked ${revoked.join(', ')}.` : 'There were no keys to revoke.',
        };
      }
      await asOwner((tx) => revokeKeyById(tx, projectId, keyId));
      return { json: { key_id: keyId, state: 'revoked' }, text: `Revoked ${keyId}.` };
    },
  },
];

function selectedKey(input: CommandInput): string | null {
  const keyId = input.option('key');
  if (input.flag('all') === (keyId !== undefined)) {
    throw new UsageError('Exactly one of --key and --all is required.');
  }
  return keyId ?? null;
}
