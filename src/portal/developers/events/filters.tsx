import { useState } from 'preact/hooks';
import { useAnswer } from '../../api/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { SelectField, TextField } from '../../kit/fields/field.tsx';
import { useSession } from '../../shell/session.tsx';
import { fromLocal, toLocal } from '../local-time.ts';
import { type EventFilters, listEventTypes } from './requests.ts';

/** The filters in the address. */
export function filtersOf(query: URLSearchParams): EventFilters {
  const get = (name: string) => query.get(name) ?? '';
  return {
    type: query.getAll('type'),
    category: get('category') || 'domain',
    published: get('published'),
    resource_id: get('resource_id'),
    occurred_after: get('occurred_after'),
    occurred_before: get('occurred_before'),
  };
}

interface FilterFormProps {
  filters: EventFilters;
  onFilter: (filters: EventFilters) => void;
}

export function EventFilterForm({ filters, onFilter }: FilterFormProps) {
  const { can } = useSession();
  const types = useAnswer(listEventTypes());
  const [draft, setDraft] = useState(filters);
  const [type, setType] = useState(filters.type.join(' '));
  const set = (changes: Partial<EventFilters>) => setDraft({ ...draft, ...changes });
  const apply = (changes: Partial<EventFilters> = {}) => {
    const next = { ...draft, type: type.split(/[\s,]+/).filter(Boolean), ...changes };
    setDraft(next);
    onFilter(next);
  };
  const clear = () => {
    setType('');
    apply({
      ...{ type: [], category: 'domain', published: '' },
      ...{ resource_id: '', occurred_after: '', occurred_before: '' },
    });
  };
  const known = types.data?.data.filter(({ category }) => category === draft.category) ?? [];
  return (
    <form
      aria-label="Event filters"
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <datalist id="event-types">
        {wildcardsOf(known.map((one) => one.type)).map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <div class="dev-filters">
        <TextField
          label="Types"
          hint="For example documents.* or dam.object.created. Separate types with spaces."
          list="event-types"
          value={type}
          onInput={setType}
        />
        <TextField
          label="Resource"
          hint="An ID such as obj_… or job_…"
          value={draft.resource_id}
          onInput={(value) => set({ resource_id: value.trim() })}
        />
        <SelectField
          label="Category"
          hint={can('audit:read') ? '' : 'Audit events require the scope audit:read.'}
          value={draft.category}
          onChange={(category) => apply({ category })}
          options={[
            ['domain', 'Domain: changes'],
            ...(can('audit:read') ? ([['audit', 'Audit: who did what']] as const) : []),
          ]}
        />
        <SelectField
          label="Published"
          hint="An event is published once every webhook received it, or once it is acknowledged."
          value={draft.published}
          onChange={(published) => apply({ published })}
          options={[
            ['', 'Any'],
            ['false', 'Not published'],
            ['true', 'Published'],
          ]}
        />
        <TextField
          label="From"
          type="datetime-local"
          value={toLocal(draft.occurred_after)}
          onInput={(value) => set({ occurred_after: fromLocal(value) })}
        />
        <TextField
          label="Until"
          hint="Setting an end turns off live updates."
          type="datetime-local"
          value={toLocal(draft.occurred_before)}
          onInput={(value) => set({ occurred_before: fromLocal(value) })}
        />
      </div>
      <div class="row events-filter-actions">
        <Button type="submit">Filter</Button>
        <Button quiet onClick={clear}>
          Clear filters
        </Button>
      </div>
    </form>
  );
}

/** The event types, and the wildcard patterns that match several of them. */
function wildcardsOf(types: readonly string[]): string[] {
  const wild = types.flatMap((type) => {
    const segments = type.split('.');
    return segments.slice(1).map((_, at) => `${segments.slice(0, at + 1).join('.')}.*`);
  });
  return [...new Set([...wild, ...types])];
}
