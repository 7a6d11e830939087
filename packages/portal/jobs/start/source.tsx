import { formatBytes } from '@scriptorium/contracts/format-bytes';
import { pluralise } from '@scriptorium/contracts/pluralise';
import type { ObjectRecord } from '@scriptorium/contracts/wire/library/objects';
import { useEffect, useState } from 'preact/hooks';
import { useList, useResource } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { Button } from '../../kit/button.tsx';
import { TextField } from '../../kit/fields/field.tsx';
import { NamedResource } from '../../kit/named-resource.tsx';
import { Empty, ProblemNotice } from '../../kit/states.tsx';
import { StateBadge } from '../../kit/values.tsx';
import { mimeName } from '../../library/browse/filters/mime-names.ts';

/** The delay before a search starts, in milliseconds. */
const searchDelayMs = 250;

/** A selected source object. Reports its record once loaded. */
export function SourceRow(props: {
  id: string;
  onLoaded: (object: ObjectRecord) => void;
  onRemove: () => void;
}) {
  const { data, problem } = useResource(requestFor('getObject', { id: props.id }));
  useEffect(() => {
    if (data) props.onLoaded(data);
  }, [data]);
  return (
    <li class="jobs-source">
      <div>
        <NamedResource
          id={props.id}
          name={data?.filename}
          href={`~/portal/library/objects/${props.id}`}
          loading={data === undefined && !problem}
        />
        {/* Reserves the space before the facts are loaded. */}
        <div class="jobs-source-facts soft">
          {data &&
            [
              mimeName(data.mime),
              formatBytes(data.bytes),
              ...(data.pages === null ? [] : [pluralise(data.pages, 'page')]),
            ].join(' · ')}
        </div>
        {data && data.state !== 'available' && <StateBadge state={data.state} />}
        <ProblemNotice problem={problem} />
      </div>
      <Button small quiet label={`Remove ${data?.filename ?? props.id}`} onClick={props.onRemove}>
        Remove
      </Button>
    </li>
  );
}

/** Shown instead of the first source. */
export function NoSource() {
  return (
    <li class="jobs-source">
      <div>
        <strong>No object selected</strong>
        <div class="jobs-source-facts soft">Drop a file on this page, or select one below.</div>
      </div>
    </li>
  );
}

const isJobOutput = ({ source }: ObjectRecord): boolean => source.kind === 'job';

/** Finds objects by name, tag, metadata or text. */
export function SourcePicker(props: {
  selectedIds: readonly string[];
  onPick: (id: string) => void;
}) {
  const [text, setText] = useState('');
  const [searchTerm, setSearchTerm] = useState('');
  useEffect(() => {
    const timer = window.setTimeout(() => setSearchTerm(text.trim()), searchDelayMs);
    return () => window.clearTimeout(timer);
  }, [text]);
  // A search also finds the outputs of jobs, listed after the originals.
  const query = searchTerm ? { q: searchTerm } : { originals: true };
  const results = useList(requestFor('listObjects', { ...query, limit: 20 }));
  const available = results.items
    .filter(({ id }) => !props.selectedIds.includes(id))
    .sort((one, other) => Number(isJobOutput(one)) - Number(isJobOutput(other)));
  return (
    <div class="stack">
      <TextField
        label="Find an object"
        type="search"
        value={text}
        onInput={setText}
        hint="By name, tag, metadata or text. Originals first, newest first."
      />
      <ProblemNotice problem={results.problem} />
      <div class="jobs-found-room">
        {(available.length > 0 || results.loading) && (
          <ul class="jobs-found" aria-label="Objects found" aria-busy={results.loading}>
            {available.map((object) => (
              <li key={object.id}>
                <button type="button" class="jobs-pick" onClick={() => props.onPick(object.id)}>
                  <bdi>{object.filename}</bdi>
                  <span class="soft">
                    {mimeName(object.mime, object.filename)} · {formatBytes(object.bytes)}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        )}
        {!results.loading && !results.problem && results.items.length === 0 && (
          <Empty title={searchTerm ? 'No matching objects' : 'No objects yet'}>
            {searchTerm ? 'Try other words.' : 'Upload a document to the library first.'}
          </Empty>
        )}
      </div>
    </div>
  );
}
