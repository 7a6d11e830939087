import type { Scope } from '../../../contracts/scopes.ts';
import { grants } from '../../../contracts/scopes.ts';
import { CheckField } from '../../kit/field.tsx';

/** What each scope lets a key do, in the words of who decides on it. */
const groups: readonly (readonly [name: string, scopes: readonly (readonly [Scope, string])[]])[] =
  [
    [
      'Library',
      [
        ['objects:read', 'List and search objects, see their records and page results.'],
        ['objects:write', 'Upload, change, trash and restore objects.'],
        ['objects:download', 'Download the bytes of objects, and make signed URLs to them.'],
        ['objects:purge', 'Purge objects for good, and empty the trash.'],
        ['images:read', 'Search images and see their renditions.'],
        ['images:write', 'Change titles, tags and metadata of images; trash and restore them.'],
        ['collections:read', 'See collections and what they hold.'],
        ['collections:write', 'Make, change and trash collections, and choose what they hold.'],
      ],
    ],
    [
      'Documents',
      [
        ['documents:read', 'See jobs, their pages and their progress.'],
        ['documents:write', 'Start, cancel and retry jobs.'],
        ['pii:read', 'See the personal values that redaction found. Few need this.'],
      ],
    ],
    [
      'Events and webhooks',
      [
        ['events:read', 'Read and follow the events of the project.'],
        ['events:ack', 'Acknowledge events, and make and move consumers.'],
        ['webhooks:read', 'See webhooks, deliveries and replays.'],
        ['webhooks:write', 'Make and change webhooks, redeliver and replay.'],
      ],
    ],
    [
      'Governance',
      [
        ['policies:read', 'See security policies and try them.'],
        ['policies:write', 'Make, change and remove security policies.'],
        ['audit:read', 'Read the audit feed, with the addresses requests came from.'],
        ['keys:read', 'See the API keys of the project, never their secrets.'],
        ['keys:write', 'Create, change, roll and revoke API keys.'],
      ],
    ],
  ];
const everything = ['*', 'Everything, also what later releases add.'] as const;

/** What a key may do, in words. */
export function ScopesInWords({ scopes }: { scopes: readonly string[] }) {
  const told = [everything, ...groups.flatMap(([, group]) => group)];
  return (
    <ul class="key-scopes">
      {told
        .filter(([scope]) => scopes.includes(scope))
        .map(([scope, words]) => (
          <li key={scope}>
            <code>{scope}</code> <span class="soft">{words}</span>
          </li>
        ))}
    </ul>
  );
}

interface ScopePickerProps {
  /** Of the key that grants: it gives only what it has. */
  held: readonly string[];
  chosen: readonly Scope[];
  onChange: (scopes: Scope[]) => void;
  fault?: string | undefined;
}

export function ScopePicker({ held, chosen, onChange, fault }: ScopePickerProps) {
  const all = chosen.includes('*');
  const turn = (scope: Scope, on: boolean) =>
    onChange(on ? [...chosen, scope] : chosen.filter((one) => one !== scope));
  const box = (scope: Scope, words: string) => {
    const mayGrant = grants(held, scope);
    const reason = !mayGrant
      ? 'Your key does not have it, so it cannot grant it.'
      : all && scope !== '*'
        ? 'Comes with everything.'
        : words;
    return (
      <CheckField
        key={scope}
        label={<code>{scope === '*' ? '* (everything)' : scope}</code>}
        hint={reason}
        checked={chosen.includes(scope) || (all && scope !== '*')}
        disabled={!mayGrant || (all && scope !== '*')}
        onChange={(on) => turn(scope, on)}
      />
    );
  };
  return (
    <fieldset class="dev-fieldset" aria-invalid={fault ? true : undefined}>
      <legend>What it may do</legend>
      {fault && <p class="dev-fault">{fault}</p>}
      <div class="key-groups">
        {groups.map(([name, scopes]) => (
          <div key={name} class="key-group">
            <h3>{name}</h3>
            {scopes.map(([scope, words]) => box(scope, words))}
          </div>
        ))}
      </div>
      {box(...everything)}
    </fieldset>
  );
}
