import { entityTypes } from '../../../contracts/entities.ts';
import { Button } from '../../kit/button.tsx';
import { CheckField } from '../../kit/field.tsx';

const summaries: Record<string, { basis: string; summary: string }> = entityTypes;

/** The kinds of personal data in groups that belong together. */
function groupsOf(names: readonly string[]): [string, string[]][] {
  const groupOf = (name: string): string => {
    if (summaries[name]?.basis === 'tagger') return 'People and places';
    return /^[A-Z]{2}_/.test(name) ? 'National numbers' : 'Contacts, numbers and dates';
  };
  const groups = new Map<string, string[]>();
  for (const name of names) groups.set(groupOf(name), [...(groups.get(groupOf(name)) ?? []), name]);
  return [...groups];
}

/** Which kinds of personal data to remove: all there are or will be, or some. */
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
        label="All kinds, also those that are added later"
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
              <Button small label={`All of ${title}`} onClick={() => toggle(group, true)}>
                All
              </Button>
              <Button small label={`None of ${title}`} onClick={() => toggle(group, false)}>
                None
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
