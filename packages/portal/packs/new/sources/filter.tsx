import { pluralise } from '@scriptorium/contracts/pluralise';
import type { PackFilter } from '@scriptorium/contracts/wire/packs';
import { useEffect, useState } from 'preact/hooks';
import { useResource } from '../../../api/hooks.ts';
import type { QueryValue } from '../../../api/request.ts';
import { faultAt, faultsIn, SelectField, TextField } from '../../../kit/fields/field.tsx';
import { TagsField } from '../../../kit/fields/tags-field.tsx';
import { parseTagTerm, writeTagTerm } from '../../../library/browse/filters/tag-terms.ts';
import { countObjects } from '../../../library/browse/list/requests.ts';
import { useSession } from '../../../shell/session.tsx';
import type { SourceProps } from '../source.tsx';

const originOptions: readonly (readonly [PackFilter['source'], string])[] = [
  ['upload', 'Uploaded'],
  ['job', 'Produced by jobs'],
];

/** The delay before matches are counted, in milliseconds. */
const countDelayMs = 250;

/** Filters objects in the same way as the list of objects, and counts them. */
export function FilterSource({ draft: { filter }, onChange, problem }: SourceProps) {
  const [mimes, setMimes] = useState(filter.mime?.join(', ') ?? '');
  const setField = <Name extends keyof PackFilter>(name: Name, value: PackFilter[Name]): void => {
    const { [name]: _before, ...rest } = filter;
    onChange({ filter: value === undefined ? rest : { ...rest, [name]: value } });
  };
  const faultOf = (name: string): string | undefined => faultsIn(problem, `/source/filter/${name}`);
  // A plain tag is a separate term; other terms, from the API, are shown as written.
  const tags = (filter.tag ?? []).map((term) => {
    const { not, anyOf } = parseTagTerm(term);
    return !not && anyOf.length === 1 ? (anyOf[0] ?? term) : term;
  });
  const terms = new Map((filter.tag ?? []).map((term, at) => [tags[at], term]));
  return (
    <div class="stack">
      <div class="packs-filter">
        <TextField
          label="Words"
          hint="In name, tags, metadata or text."
          value={filter.q ?? ''}
          fault={faultOf('q')}
          onInput={(q) => setField('q', q || undefined)}
        />
        <TextField
          label="Media types"
          hint="For example application/pdf, image/*"
          value={mimes}
          fault={faultOf('mime')}
          onInput={(text) => {
            setMimes(text);
            const types = text.split(',').flatMap((one) => one.trim() || []);
            setField('mime', types.length === 0 ? undefined : types);
          }}
        />
        <SelectField
          label="Origin"
          value={filter.source ?? 'upload'}
          onChange={(chosen) =>
            setField('source', originOptions.find(([one]) => one === chosen)?.[0] ?? 'upload')
          }
          options={originOptions}
        />
        <TextField
          label="Created from"
          type="date"
          value={filter.created_after?.slice(0, 10) ?? ''}
          fault={faultOf('created_after')}
          onInput={(day) => setField('created_after', startOfDay(day))}
        />
        <TextField
          label="Created before"
          type="date"
          value={filter.created_before?.slice(0, 10) ?? ''}
          fault={faultOf('created_before')}
          onInput={(day) => setField('created_before', startOfDay(day))}
        />
      </div>
      <TagsField
        label="Tags"
        hint="Objects must have all of them."
        tags={tags}
        onChange={(nextTags) =>
          setField(
            'tag',
            nextTags.length === 0
              ? undefined
              : nextTags.map((tag) => terms.get(tag) ?? writeTagTerm({ not: false, anyOf: [tag] })),
          )
        }
      />
      {faultOf('tag') && <span class="fault">{faultOf('tag')}</span>}
      {faultAt(problem, '/source/filter') && (
        <span class="fault">{faultAt(problem, '/source/filter')}</span>
      )}
      <MatchCount filter={filter} />
    </div>
  );
}

/** Returns the start of a day in UTC. */
function startOfDay(day: string): string | undefined {
  return /^\d{4}-\d\d-\d\d$/.test(day) ? `${day}T00:00:00.000Z` : undefined;
}

/** The number of objects that currently match. */
function MatchCount({ filter }: { filter: Partial<PackFilter> }) {
  const { can } = useSession();
  const [countedFilter, setCountedFilter] = useState(filter);
  useEffect(() => {
    const timer = window.setTimeout(() => setCountedFilter(filter), countDelayMs);
    return () => window.clearTimeout(timer);
  }, [filter]);
  const query: Record<string, QueryValue> = {
    ...countedFilter,
    source: countedFilter.source ?? 'upload',
    state: 'available',
  };
  const { data, problem } = useResource(can('objects:read') ? countObjects(query) : null);
  return (
    <p class="soft" role="status">
      {problem ? problem.message : data && pluralise(data.total ?? 0, 'matching object')}
    </p>
  );
}
