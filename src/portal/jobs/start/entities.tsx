import { entityTypes } from '../../../contracts/documents/entities.ts';
import { Button } from '../../kit/button.tsx';
import { CheckField } from '../../kit/fields/field.tsx';

const summaries: Record<string, { basis: string; summary: string }> = entityTypes;

/** Groups the kinds of personal data. */
function groupsOf(names: readonly string[]): [string, string[]][] {
  const groupOf = (name: string): string => {
    if (summaries[name]?.basis === 'tagger') return 'People and places';
    return /^[A-Z]{2}_/.test(name) ? 'National identifiers' : 'Contacts, numbers and dates';
  };
  const groups = new Map<string, string[]>();
  for (const name of names) groups.set(groupOf(name), [...(groups.get(groupOf(name)) ?? []), name]);
  return [...groups];
}

/** Selects the kinds of personal data to redact: all, including future ones, or some. */
export function EntitiesField(props: {
  names: readonly string[];
  value: unknown;
  fault: string | undefined;
  onChange: (value: 'all' | string[]) => void;
}) {
  const { names, value, onChange, fault } = props;
  const chosen = Array.isArray(value) ? value.map(String) : null;
  const toggle = (some: readonly string[], on: boolean): void => {
    const rest = (chosen ?? [...names]).filter((name) => !some.includes(name));
    onChange(names.filter((name) => rest.includes(name) || (on && some.includes(name))));
  };
  return (
    <fieldset class="jobs-fieldset">
      <legend>Kinds of personal data</legend>
      <CheckField
        label="All kinds, including those added later"
        checked={chosen === null}
        onChange={(all) => onChange(all ? 'all' : [...names])}
      />
      {fault && <span class="fault">{fault}</span>}
      {chosen !== null &&
        groupsOf(names).map(([title, group]) => (
          <fieldset key={title} class="jobs-fieldset">
            <legend>
              {title}: {group.filter((name) => chosen.includes(name)).length} of {group.length}
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
                  label={name}
                  checked={chosen.includes(name)}
                  onChange={(on) => toggle([name], on)}
                  {...(summaries[name] ? { hint: summaries[name].summary } : {})}
                />
              ))}
            </div>
          </fieldset>
        ))}
    </fieldset>
  );
}
