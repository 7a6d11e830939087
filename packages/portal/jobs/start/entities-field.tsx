import { entityTypes } from '@scriptorium/contracts/documents/entities';
import { profileNames, profiles } from '@scriptorium/contracts/documents/profiles';
import { Button } from '../../kit/button.tsx';
import { entityTitle } from '../../kit/entity-titles.ts';
import { CheckField, SelectField } from '../../kit/fields/field.tsx';

const entityTypesByName: Record<string, { basis: string; summary: string }> = entityTypes;

/** Groups the kinds of personal data. */
function groupKinds(names: readonly string[]): [string, string[]][] {
  const groupOf = (name: string): string => {
    const basis = entityTypesByName[name]?.basis;
    if (basis === 'tagger') return 'People and places';
    if (basis === 'picture') return 'Drawn on the page';
    return /^[A-Z]{2}_/.test(name) ? 'National identifiers' : 'Contacts, numbers and dates';
  };
  const groups = new Map<string, string[]>();
  for (const name of names) groups.set(groupOf(name), [...(groups.get(groupOf(name)) ?? []), name]);
  return [...groups];
}

const profilesByName: Record<string, { title: string; summary: string; source: string }> = profiles;
const selectedKinds = 'Selected kinds';

/** Selects the personal data to redact: by a profile, or kind by kind. */
export function EntitiesField(props: {
  profiles: readonly string[];
  names: readonly string[];
  value: unknown;
  fault: string | undefined;
  onChange: (value: string | string[]) => void;
}) {
  const { names, value, onChange, fault } = props;
  const selected = Array.isArray(value) ? value.map(String) : null;
  const profile = profilesByName[String(value)];
  const toggle = (kinds: readonly string[], on: boolean): void => {
    const remaining = (selected ?? []).filter((name) => !kinds.includes(name));
    onChange(names.filter((name) => remaining.includes(name) || (on && kinds.includes(name))));
  };
  return (
    <fieldset class="field-group jobs-fieldset">
      <legend>Kinds of personal data</legend>
      <SelectField
        label="Profile"
        value={selected ? selectedKinds : String(value)}
        options={[...props.profiles, selectedKinds].map((name) => [
          name,
          profilesByName[name]?.title ?? name,
        ])}
        {...(profile ? { hint: `${profile.summary} Source: ${profile.source}.` } : {})}
        onChange={(name) => onChange(name === selectedKinds ? profileKinds(value, names) : name)}
      />
      {fault && <span class="fault">{fault}</span>}
      {selected !== null &&
        groupKinds(names).map(([title, group]) => (
          <fieldset key={title} class="field-group jobs-fieldset">
            <legend>
              {title}: {group.filter((name) => selected.includes(name)).length} of {group.length}
            </legend>
            <div class="row">
              <Button small label={`Select all: ${title}`} onClick={() => toggle(group, true)}>
                Select all
              </Button>
              <Button small label={`Clear: ${title}`} onClick={() => toggle(group, false)}>
                Clear
              </Button>
            </div>
            <div class="jobs-checks-grid">
              {group.map((name) => (
                <CheckField
                  key={name}
                  label={entityTitle(name)}
                  checked={selected.includes(name)}
                  onChange={(on) => toggle([name], on)}
                  {...(entityTypesByName[name] ? { hint: entityTypesByName[name].summary } : {})}
                />
              ))}
            </div>
          </fieldset>
        ))}
    </fieldset>
  );
}

/** Returns the kinds of personal data in the selected profile; all without a profile. */
function profileKinds(value: unknown, names: readonly string[]): string[] {
  const profile = profileNames.find((name) => name === value);
  if (!profile) return [...names];
  const kinds: readonly string[] = profiles[profile].entities;
  return names.filter((name) => kinds.includes(name));
}
