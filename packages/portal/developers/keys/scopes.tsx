import type { Scope } from '@scriptorium/contracts/scopes';
import { grants } from '@scriptorium/contracts/scopes';
import { Button } from '../../kit/button.tsx';
import { CheckField } from '../../kit/fields/field.tsx';
import { isGrantable, isSelected, scopePresets } from './presets.ts';

/** The scopes by group, with their descriptions. */
const scopeGroups: readonly (readonly [
  name: string,
  scopes: readonly (readonly [Scope, string])[],
])[] = [
  [
    'Library',
    [
      ['objects:read', 'List and search objects; view their records and page results.'],
      ['objects:write', 'Upload, change, trash and restore objects.'],
      ['objects:download', 'Download objects and create signed URLs.'],
      ['objects:purge', 'Permanently delete objects and empty the trash.'],
      ['images:read', 'Search images and view their renditions.'],
      ['images:write', 'Edit titles, tags and metadata of images; trash and restore images.'],
      ['collections:read', 'View collections and their members.'],
      ['collections:write', 'Create, edit and trash collections; add and remove members.'],
      ['shares:read', 'View links to objects and collections, and how often they were used.'],
      ['shares:write', 'Create, change and revoke links for people without a key.'],
    ],
  ],
  [
    'Documents',
    [
      ['documents:read', 'View jobs, their pages and progress.'],
      ['documents:write', 'Start, cancel and retry jobs.'],
      ['documents:review', 'Decide reviews: accept, reject and add findings.'],
      ['pii:read', 'View the personal data that redaction found. Grant this sparingly.'],
    ],
  ],
  [
    'Events and webhooks',
    [
      ['events:read', 'Read and stream events.'],
      ['events:ack', 'Acknowledge events; create, move and delete consumers.'],
      ['webhooks:read', 'View webhooks, deliveries and replays.'],
      ['webhooks:write', 'Create and edit webhooks; redeliver and replay.'],
    ],
  ],
  [
    'Governance',
    [
      ['policies:read', 'View and evaluate security policies.'],
      ['policies:write', 'Create, edit and delete security policies.'],
      ['retention:read', 'View retention rules, and what they delete.'],
      ['retention:write', 'Create, change and delete rules that delete objects after a time.'],
      ['erasures:read', 'View erasures, and the resources that they found.'],
      ['erasures:write', 'Erase values from everything in the project.'],
      ['audit:read', 'Read audit events, including IP addresses.'],
      ['keys:read', 'View API keys, but not their secrets.'],
      ['keys:write', 'Create, edit, roll and revoke API keys.'],
      ['members:read', 'View members and invitations, with names and e-mail addresses.'],
      ['members:write', 'Invite people, change their roles and remove them.'],
      ['projects:delete', 'Delete the project with everything in it.'],
    ],
  ],
];
const allScopes = ['*', 'All scopes, including those added in later releases.'] as const;

/** Lists the scopes of a key with their descriptions. */
export function ScopeList({ scopes }: { scopes: readonly string[] }) {
  const descriptions = [allScopes, ...scopeGroups.flatMap(([, group]) => group)];
  return (
    <ul class="key-scopes">
      {descriptions
        .filter(([scope]) => scopes.includes(scope))
        .map(([scope, words]) => (
          <li key={scope}>
            <code>{scope}</code> <span class="soft">{words}</span>
          </li>
        ))}
    </ul>
  );
}

/** Buttons that select the scopes of a task. */
function TaskPresets({ sessionScopes, selected, onChange }: Omit<ScopePickerProps, 'fault'>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be nested in another one
    <div class="row" role="group" aria-label="Scopes by task">
      {scopePresets.map((preset) => (
        <Button
          key={preset.task}
          small
          pressed={isSelected(preset, selected)}
          disabled={!isGrantable(preset, sessionScopes)}
          onClick={() => onChange([...preset.scopes])}
        >
          {preset.task}
        </Button>
      ))}
    </div>
  );
}

interface ScopePickerProps {
  /** The scopes of the session; only these can be granted. */
  sessionScopes: readonly string[];
  selected: readonly Scope[];
  onChange: (scopes: Scope[]) => void;
  fault?: string | undefined;
}

export function ScopePicker({ sessionScopes, selected, onChange, fault }: ScopePickerProps) {
  const hasAllScopes = selected.includes('*');
  const toggle = (scope: Scope, on: boolean) =>
    onChange(on ? [...selected, scope] : selected.filter((one) => one !== scope));
  const renderScope = (scope: Scope, description: string) => {
    const canGrant = grants(sessionScopes, scope);
    const reason = !canGrant
      ? 'You do not have this scope, so you cannot grant it.'
      : hasAllScopes && scope !== '*'
        ? 'Included in all scopes.'
        : description;
    return (
      <CheckField
        key={scope}
        label={<code>{scope === '*' ? '* (all scopes)' : scope}</code>}
        hint={reason}
        checked={selected.includes(scope) || (hasAllScopes && scope !== '*')}
        disabled={!canGrant || (hasAllScopes && scope !== '*')}
        onChange={(on) => toggle(scope, on)}
      />
    );
  };
  return (
    <fieldset class="dev-fieldset" aria-invalid={fault ? true : undefined}>
      <legend>Scopes</legend>
      {fault && <p class="dev-fault">{fault}</p>}
      <TaskPresets {...{ sessionScopes, selected, onChange }} />
      <div class="key-groups">
        {scopeGroups.map(([name, scopes]) => (
          <div key={name} class="key-group">
            <h3>{name}</h3>
            {scopes.map(([scope, words]) => renderScope(scope, words))}
          </div>
        ))}
      </div>
      {renderScope(...allScopes)}
    </fieldset>
  );
}
