import { useState } from 'preact/hooks';
import { jobStates } from '../../../contracts/jobs.ts';
import type { QueryValue } from '../../api/request.ts';
import { Button } from '../../kit/button.tsx';
import { SelectField, TextField } from '../../kit/fields/field.tsx';
import { operationTitles } from '../words.ts';

const names = ['state', 'op', 'source_object_id', 'created_after', 'created_before'] as const;
const objectId = /^obj_[0-9a-hjkmnp-tv-z]{26}$/;

/** The filters in the address as query parameters of the API. A day stands for its start, in UTC. */
export function jobQueryOf(search: URLSearchParams): Record<string, QueryValue> {
  const day = (name: string): string | undefined => {
    const value = search.get(name);
    return value && /^\d{4}-\d\d-\d\d$/.test(value) ? `${value}T00:00:00.000Z` : undefined;
  };
  return {
    state: search.get('state') ?? undefined,
    op: search.get('op') ?? undefined,
    source_object_id: search.get('source_object_id') ?? undefined,
    created_after: day('created_after'),
    created_before: day('created_before'),
  };
}

export function hasJobFilters(search: URLSearchParams): boolean {
  return names.some((name) => search.has(name));
}

interface FiltersProps {
  search: URLSearchParams;
  set: (changes: Record<string, string | undefined>) => void;
}

export function JobFilters({ search, set }: FiltersProps) {
  const [source, setSource] = useState(search.get('source_object_id') ?? '');
  const wrong = source !== '' && !objectId.test(source);
  const value = (name: string): string => search.get(name) ?? '';
  const setField = (name: string) => (text: string) => set({ [name]: text });
  const clear = (): void => {
    setSource('');
    set(Object.fromEntries(names.map((name) => [name, undefined])));
  };
  return (
    <form class="jobs-filters" onSubmit={(event) => event.preventDefault()}>
      <SelectField
        label="State"
        value={value('state')}
        onChange={setField('state')}
        options={[['', 'Any'], ...jobStates.map((one) => [one, one.replaceAll('_', ' ')] as const)]}
      />
      <SelectField
        label="Operation"
        value={value('op')}
        onChange={setField('op')}
        options={[['', 'Any'], ...Object.entries(operationTitles)]}
      />
      <TextField
        label="Source object"
        value={source}
        placeholder="obj_…"
        fault={wrong ? 'An object ID is obj_ followed by 26 characters.' : undefined}
        onInput={(text) => {
          const trimmed = text.trim();
          setSource(trimmed);
          if (trimmed === '' || objectId.test(trimmed)) set({ source_object_id: trimmed });
        }}
      />
      <TextField
        label="Created from"
        type="date"
        value={value('created_after')}
        onInput={setField('created_after')}
      />
      <TextField
        label="Created before"
        type="date"
        value={value('created_before')}
        onInput={setField('created_before')}
      />
      {hasJobFilters(search) && (
        <Button quiet onClick={clear}>
          Clear filters
        </Button>
      )}
    </form>
  );
}
