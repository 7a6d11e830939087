import { matchesType } from '@scriptorium/contracts/events/matches-type';
import type { EventTypeRecord } from '@scriptorium/contracts/wire/events';
import { useState } from 'preact/hooks';
import { useResource } from '../../../api/hooks.ts';
import { requestFor } from '../../../api/request.ts';
import { Button } from '../../../kit/button.tsx';
import { CheckField, TextField } from '../../../kit/fields/field.tsx';
import { useSession } from '../../../shell/session.tsx';

interface TypePickerProps {
  selected: readonly string[];
  onChange: (types: string[]) => void;
  fault?: string | undefined;
}

/** Selects event types: from the catalogue, as wildcards, or as a custom pattern. */
export function TypePicker({ selected, onChange, fault }: TypePickerProps) {
  const { can } = useSession();
  const types = useResource(can('events:read') ? requestFor('listEventTypes') : null);
  const [customPattern, setCustomPattern] = useState('');
  const toggle = (pattern: string, on: boolean) =>
    onChange(on ? [...selected, pattern] : selected.filter((one) => one !== pattern));
  const add = () => {
    const pattern = customPattern.trim();
    if (pattern && !selected.includes(pattern)) toggle(pattern, true);
    setCustomPattern('');
  };
  return (
    <fieldset class="dev-fieldset">
      <legend>Event types</legend>
      <div class="row">
        {selected.length === 0 && <span class="soft">None selected</span>}
        {selected.map((pattern) => (
          <span key={pattern} class="chip">
            <code>{pattern}</code>
            <Button small quiet label={`Remove ${pattern}`} onClick={() => toggle(pattern, false)}>
              ×
            </Button>
          </span>
        ))}
      </div>
      {fault && <p class="dev-fault">{fault}</p>}
      {types.loading && !types.data && <div class="webhook-types waiting" aria-busy="true" />}
      {types.data && <Catalogue types={types.data.data} selected={selected} toggle={toggle} />}
      <div class="webhook-pair">
        <TextField
          label="Custom pattern"
          hint="* matches one segment, or all remaining segments at the end. For example *.job.failed"
          value={customPattern}
          onInput={setCustomPattern}
        />
        <Button onClick={add} disabled={customPattern.trim() === ''}>
          Add pattern
        </Button>
      </div>
    </fieldset>
  );
}

interface CatalogueProps {
  types: readonly EventTypeRecord[];
  selected: readonly string[];
  toggle: (pattern: string, on: boolean) => void;
}

function Catalogue({ types, selected, toggle }: CatalogueProps) {
  const groups = new Map<string, EventTypeRecord[]>();
  for (const one of types) {
    const name = one.category === 'audit' ? 'audit' : one.type.split('.').slice(0, 2).join('.');
    groups.set(name, [...(groups.get(name) ?? []), one]);
  }
  const wildcardMatching = (type: string) =>
    selected.find((pattern) => pattern !== type && matchesType(pattern, type));
  const renderType = ({ type, summary, category }: EventTypeRecord) => {
    const matchingWildcard = category === 'domain' ? wildcardMatching(type) : undefined;
    return (
      <CheckField
        key={type}
        label={<code>{type}</code>}
        hint={matchingWildcard ? `Included in ${matchingWildcard}` : summary}
        checked={matchingWildcard !== undefined || selected.includes(type)}
        disabled={matchingWildcard !== undefined}
        onChange={(on) => toggle(type, on)}
      />
    );
  };
  return (
    <section class="webhook-types" tabIndex={0} aria-label="Event type catalogue">
      <CheckField
        label={<code>*</code>}
        hint="All event types except audit events, including types added in later releases."
        checked={selected.includes('*')}
        onChange={(on) => toggle('*', on)}
      />
      {[...groups].map(([name, members]) => {
        const wildcard = `${name}.*`;
        const isAudit = name === 'audit';
        const isWithin = selected.some((one) => one !== wildcard && matchesType(one, wildcard));
        return (
          <div key={name} class="webhook-type-group">
            {isAudit ? (
              <p>Audit events. Wildcards do not match them; select each one.</p>
            ) : (
              <CheckField
                label={
                  <>
                    All of <code>{wildcard}</code>
                  </>
                }
                checked={selected.includes(wildcard) || isWithin}
                disabled={isWithin}
                onChange={(on) => toggle(wildcard, on)}
              />
            )}
            {members.map(renderType)}
          </div>
        );
      })}
    </section>
  );
}
