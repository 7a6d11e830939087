import { matchesType } from '@scriptorium/contracts/events/matches-type';
import type { EventTypeRecord } from '@scriptorium/contracts/wire/events';
import { useState } from 'preact/hooks';
import { useAnswer } from '../../../api/hooks.ts';
import { requestFor } from '../../../api/request.ts';
import { Button } from '../../../kit/button.tsx';
import { CheckField, TextField } from '../../../kit/fields/field.tsx';
import { useSession } from '../../../shell/session.tsx';

interface TypePickerProps {
  chosen: readonly string[];
  onChange: (types: string[]) => void;
  fault?: string | undefined;
}

/** Selects event types: from the catalogue, as wildcards, or as a custom pattern. */
export function TypePicker({ chosen, onChange, fault }: TypePickerProps) {
  const { can } = useSession();
  const types = useAnswer(can('events:read') ? requestFor('listEventTypes') : null);
  const [other, setOther] = useState('');
  const turn = (pattern: string, on: boolean) =>
    onChange(on ? [...chosen, pattern] : chosen.filter((one) => one !== pattern));
  const add = () => {
    const pattern = other.trim();
    if (pattern && !chosen.includes(pattern)) turn(pattern, true);
    setOther('');
  };
  return (
    <fieldset class="dev-fieldset">
      <legend>Event types</legend>
      <div class="row">
        {chosen.length === 0 && <span class="soft">None selected</span>}
        {chosen.map((pattern) => (
          <span key={pattern} class="chip">
            <code>{pattern}</code>
            <Button small quiet label={`Remove ${pattern}`} onClick={() => turn(pattern, false)}>
              ×
            </Button>
          </span>
        ))}
      </div>
      {fault && <p class="dev-fault">{fault}</p>}
      {types.loading && !types.data && <div class="webhook-types waiting" aria-busy="true" />}
      {types.data && <Catalogue types={types.data.data} chosen={chosen} turn={turn} />}
      <div class="webhook-pair">
        <TextField
          label="Custom pattern"
          hint="* matches one segment, or all remaining segments at the end. For example *.job.failed"
          value={other}
          onInput={setOther}
        />
        <Button onClick={add} disabled={other.trim() === ''}>
          Add pattern
        </Button>
      </div>
    </fieldset>
  );
}

interface CatalogueProps {
  types: readonly EventTypeRecord[];
  chosen: readonly string[];
  turn: (pattern: string, on: boolean) => void;
}

function Catalogue({ types, chosen, turn }: CatalogueProps) {
  const groups = new Map<string, EventTypeRecord[]>();
  for (const one of types) {
    const name = one.category === 'audit' ? 'audit' : one.type.split('.').slice(0, 2).join('.');
    groups.set(name, [...(groups.get(name) ?? []), one]);
  }
  const wildcardFor = (type: string) =>
    chosen.find((pattern) => pattern !== type && matchesType(pattern, type));
  const box = ({ type, summary, category }: EventTypeRecord) => {
    const by = category === 'domain' ? wildcardFor(type) : undefined;
    return (
      <CheckField
        key={type}
        label={<code>{type}</code>}
        hint={by ? `Included in ${by}` : summary}
        checked={by !== undefined || chosen.includes(type)}
        disabled={by !== undefined}
        onChange={(on) => turn(type, on)}
      />
    );
  };
  return (
    <section class="webhook-types" tabIndex={0} aria-label="Event type catalogue">
      <CheckField
        label={<code>*</code>}
        hint="All event types except audit events, including types added in later releases."
        checked={chosen.includes('*')}
        onChange={(on) => turn('*', on)}
      />
      {[...groups].map(([name, members]) => {
        const wildcard = `${name}.*`;
        const isAudit = name === 'audit';
        const isWithin = chosen.some((one) => one !== wildcard && matchesType(one, wildcard));
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
                checked={chosen.includes(wildcard) || isWithin}
                disabled={isWithin}
                onChange={(on) => turn(wildcard, on)}
              />
            )}
            {members.map(box)}
          </div>
        );
      })}
    </section>
  );
}
