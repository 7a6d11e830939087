import { useState } from 'preact/hooks';
import { useAnswer } from '../../api/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { SelectField, TextField } from '../../kit/field.tsx';
import { useSession } from '../../shell/session.tsx';
import { fromLocal, toLocal } from '../local-time.ts';
import { type Filters, listEventTypes } from './requests.ts';

/** The filters that the address says. */
export function filtersOf(query: URLSearchParams): Filters {
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
  filters: Filters;
  onFilter: (filters: Filters) => void;
}

export function FilterForm({ filters, onFilter }: FilterFormProps) {
  const { can } = useSession();
  const types = useAnswer(listEventTypes());
  const [draft, setDraft] = useState(filters);
  const [type, setType] = useState(filters.type.join(' '));
  const set = (changes: Partial<Filters>) => setDraft({ ...draft, ...changes });
  const apply = (changes: Partial<Filters> = {}) => {
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
      aria-label="Filter the events"
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
          hint="documents.* stands for all that begin so; several with spaces."
          list="event-types"
          value={type}
          onInput={setType}
        />
        <TextField
          label="Resource"
          hint="An identifier: obj_…, job_…"
          value={draft.resource_id}
          onInput={(value) => set({ resource_id: value.trim() })}
        />
        <SelectField
          label="Category"
          hint={can('audit:read') ? '' : 'Audit needs the scope audit:read.'}
          value={draft.category}
          onChange={(category) => apply({ category })}
          options={[
            ['domain', 'Domain: changes of resources'],
            ...(can('audit:read') ? ([['audit', 'Audit: who did what']] as const) : []),
          ]}
        />
        <SelectField
          label="Published"
          hint="Unpublished: a webhook that should have it has not got it, and nobody acknowledged it."
          value={draft.published}
          onChange={(published) => apply({ published })}
          options={[
            ['', 'Both'],
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
          hint="With an end there is no live tail."
          type="datetime-local"
          value={toLocal(draft.occurred_before)}
          onInput={(value) => set({ occurred_before: fromLocal(value) })}
        />
      </div>
      <div class="row events-filter-actions">
        <Button type="submit">Filter</Button>
        <Button quiet onClick={clear}>
          Clear the filters
        </Button>
      </div>
    </form>
  );
}

/** Types, and the wildcards that stand for several of them. */
function wildcardsOf(types: readonly string[]): string[] {
  const wild = types.flatMap((type) => {
    const segments = type.split('.');
    return segments.slice(1).map((_, at) => `${segments.slice(0, at + 1).join('.')}.*`);
  });
  return [...new Set([...wild, ...types])];
}
