import { pluralise } from '@scriptorium/contracts/pluralise';
import type { ImageFilters, Orientation } from '@scriptorium/contracts/wire/library/images';
import { useEffect, useState } from 'preact/hooks';
import { useResource } from '../../../api/hooks.ts';
import { requestFor } from '../../../api/request.ts';
import { CheckField, SelectField, TextField } from '../../../kit/fields/field.tsx';
import { TagsField } from '../../../kit/fields/tags-field.tsx';
import { ProblemNotice } from '../../../kit/states.tsx';

import {
  dayOfEnd,
  dayOfStart,
  exclusiveEnd,
  exclusiveStart,
} from '../../browse/filters/filters.ts';
import { mimeName } from '../../browse/filters/mime-names.ts';
import { parseTagTerm, writeTagTerm } from '../../browse/filters/tag-terms.ts';
import { Thumb } from '../../browse/grid/thumb.tsx';
import { itemOfImage } from '../../browse/item.ts';
import { queryParamsOf } from './query-params.ts';

const mimes = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/avif',
  'image/heic',
  'image/gif',
  'image/tiff',
];
const orientations: readonly (readonly [Orientation | '', string])[] = [
  ['', 'Any'],
  ['landscape', 'Landscape'],
  ['portrait', 'Portrait'],
  ['square', 'Square'],
];
const previewDelayMs = 350;

type Patch = { [F in keyof ImageFilters]?: ImageFilters[F] | undefined };

/** Edits the query of a smart collection, with a preview. Filters that have no field are kept. */
export function QueryForm({
  query,
  onChange,
}: {
  query: ImageFilters;
  onChange: (query: ImageFilters) => void;
}) {
  const update = (changes: Patch): void => {
    const next = Object.entries({ ...query, ...changes }).filter(
      ([, value]) => value !== undefined,
    );
    onChange(Object.fromEntries(next) as ImageFilters);
  };
  const parseNumber = (value: string): number | undefined =>
    value === '' ? undefined : Number(value);
  return (
    <div class="query-form">
      <div class="stack">
        <TextField
          label="Search"
          type="search"
          hint="All words must match. Supports “phrases”, -exclusions and OR."
          value={query.q ?? ''}
          onInput={(q) => update({ q: q || undefined })}
        />
        <TagFields terms={query.tag ?? []} onChange={(tag) => update({ tag })} />
        <CheckField
          label="Untagged images only"
          checked={query.untagged === true}
          onChange={(on) => update({ untagged: on || undefined })}
        />
        <div class="query-pair">
          <SelectField
            label="Orientation"
            value={query.orientation?.length === 1 ? query.orientation[0]! : ''}
            options={orientations}
            onChange={(value) => {
              const orientation = orientations.find(([name]) => name === value)?.[0];
              update({ orientation: orientation ? [orientation] : undefined });
            }}
          />
          <TextField
            label="Minimum rating"
            type="number"
            min={1}
            max={5}
            value={String(query.min_rating ?? '')}
            onInput={(value) => update({ min_rating: parseNumber(value) })}
          />
          <TextField
            label="Minimum width (px)"
            type="number"
            min={0}
            value={String(query.min_width ?? '')}
            onInput={(value) => update({ min_width: parseNumber(value) })}
          />
          <TextField
            label="Minimum height (px)"
            type="number"
            min={0}
            value={String(query.min_height ?? '')}
            onInput={(value) => update({ min_height: parseNumber(value) })}
          />
          <TextField
            label="Added from"
            type="date"
            value={dayOfStart(query.created_after ?? null)}
            onInput={(day) => update({ created_after: exclusiveStart(day) || undefined })}
          />
          <TextField
            label="Added until"
            type="date"
            value={dayOfEnd(query.created_before ?? null)}
            onInput={(day) => update({ created_before: exclusiveEnd(day) || undefined })}
          />
        </div>
        <TypesField types={query.mime ?? []} onChange={(mime) => update({ mime })} />
      </div>
      <Preview query={query} />
    </div>
  );
}

/** The tags that images must have, and must not have. Other tag terms of the query are kept. */
function TagFields(props: {
  terms: readonly string[];
  onChange: (terms: string[] | undefined) => void;
}) {
  const terms = props.terms.map(parseTagTerm);
  const requiredTerms = terms.filter(({ not, anyOf }) => !not && anyOf.length === 1);
  const excludedTerms = terms.filter(({ not }) => not);
  const others = terms.filter(
    (term) => !requiredTerms.includes(term) && !excludedTerms.includes(term),
  );
  const setTags = (requiredTags: readonly string[], excludedTags: readonly string[]): void => {
    const next = [
      ...requiredTags.map((tag) => ({ not: false, anyOf: [tag] })),
      ...others,
      ...excludedTags.map((tag) => ({ not: true, anyOf: [tag] })),
    ].map(writeTagTerm);
    props.onChange(next.length > 0 ? next : undefined);
  };
  const allTags = requiredTerms.flatMap(({ anyOf }) => anyOf);
  const noneTags = excludedTerms.flatMap(({ anyOf }) => anyOf);
  return (
    <>
      <TagsField
        label="All of these tags"
        tags={allTags}
        onChange={(tags) => setTags(tags, noneTags)}
      />
      <TagsField
        label="None of these tags"
        tags={noneTags}
        onChange={(tags) => setTags(allTags, tags)}
      />
    </>
  );
}

function TypesField(props: {
  types: readonly string[];
  onChange: (types: ImageFilters['mime'] | undefined) => void;
}) {
  const { types, onChange } = props;
  return (
    <fieldset class="kinds">
      <legend>Types</legend>
      <div class="row">
        {mimes.map((mime) => (
          <CheckField
            key={mime}
            label={mimeName(mime)}
            checked={types.includes(mime)}
            onChange={(on) => {
              const next = on ? [...types, mime] : types.filter((one) => one !== mime);
              // The values are those of the API.
              onChange(next.length > 0 ? (next as ImageFilters['mime']) : undefined);
            }}
          />
        ))}
      </div>
    </fieldset>
  );
}

/** The current matches of the query. */
function Preview({ query }: { query: ImageFilters }) {
  const text = queryParamsOf(query).toString();
  const [debouncedText, setDebouncedText] = useState(text);
  useEffect(() => {
    const timer = window.setTimeout(() => setDebouncedText(text), previewDelayMs);
    return () => window.clearTimeout(timer);
  }, [text]);
  const search = new URLSearchParams(debouncedText);
  const request = requestFor('searchImages', {
    ...Object.fromEntries([...new Set(search.keys())].map((name) => [name, search.getAll(name)])),
    limit: 8,
    include: 'total',
  });
  const { data, problem } = useResource(request);
  return (
    <section class="query-preview" aria-label="Preview">
      <p role="status">{data?.total != null && `${pluralise(data.total, 'matching image')}`}</p>
      <ProblemNotice problem={problem} />
      <ul>
        {data?.data.map((image) => (
          <li key={image.id}>
            <Thumb item={itemOfImage(image)} width={110} />
            <bdi class="soft">{image.title ?? image.filename}</bdi>
          </li>
        ))}
      </ul>
    </section>
  );
}
