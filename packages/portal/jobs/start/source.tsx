import { formatBytes } from '@scriptorium/contracts/format-bytes';
import { pluralise } from '@scriptorium/contracts/pluralise';
import type { ObjectRecord } from '@scriptorium/contracts/wire/library/objects';
import { useEffect, useState } from 'preact/hooks';
import { useAnswer, useList } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { Button } from '../../kit/button.tsx';
import { TextField } from '../../kit/fields/field.tsx';
import { Named } from '../../kit/named.tsx';
import { Empty, ProblemNotice } from '../../kit/states.tsx';
import { State } from '../../kit/values.tsx';
import { mimeName } from '../../library/browse/filters/filters.ts';

/** The delay before a search starts, in milliseconds. */
const typingMs = 250;

/** A selected source object. Reports its record once loaded. */
export function SourceRow(props: {
  id: string;
  onKnown: (object: ObjectRecord) => void;
  onRemove: () => void;
}) {
  const { data, problem } = useAnswer(requestFor('getObject', { id: props.id }));
  useEffect(() => {
    if (data) props.onKnown(data);
  }, [data]);
  return (
    <li class="jobs-source">
      <div>
        <Named
          id={props.id}
          name={data?.filename}
          href={`~/portal/library/objects/${props.id}`}
          loading={data === undefined && !problem}
        />
        {/* The line is shown before the facts are loaded. */}
        <div class="jobs-source-facts soft">
          {data &&
            [
              mimeName(data.mime),
              formatBytes(data.bytes),
              ...(data.pages === null ? [] : [pluralise(data.pages, 'page')]),
            ].join(' · ')}
        </div>
        {data && data.state !== 'available' && <State state={data.state} />}
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

const isMade = ({ source }: ObjectRecord): boolean => source.kind === 'job';

/** Finds objects by name, tag, metadata or text. */
export function SourcePicker(props: { chosen: readonly string[]; onPick: (id: string) => void }) {
  const [text, setText] = useState('');
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const timer = window.setTimeout(() => setAsked(text.trim()), typingMs);
    return () => window.clearTimeout(timer);
  }, [text]);
  // A search also finds the outputs of jobs, listed after the originals.
  const query = asked ? { q: asked } : { originals: true };
  const found = useList(requestFor('listObjects', { ...query, limit: 20 }));
  const left = found.items
    .filter(({ id }) => !props.chosen.includes(id))
    .sort((one, other) => Number(isMade(one)) - Number(isMade(other)));
  return (
    <div class="stack">
      <TextField
        label="Find an object"
        type="search"
        value={text}
        onInput={setText}
        hint="By name, tag, metadata or text. Originals first, newest first."
      />
      <ProblemNotice problem={found.problem} />
      <div class="jobs-found-room">
        {(left.length > 0 || found.loading) && (
          <ul class="jobs-found" aria-label="Objects found" aria-busy={found.loading}>
            {left.map((object) => (
              <li key={object.id}>
                <button type="button" class="jobs-pick" onClick={() => props.onPick(object.id)}>
                  <bdi>{object.filename}</bdi>
                  <span class="soft">
                    {mimeName(object.mime)} · {formatBytes(object.bytes)}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        )}
        {!found.loading && !found.problem && found.items.length === 0 && (
          <Empty title={asked ? 'No matching objects' : 'No objects yet'}>
            {asked ? 'Try other words.' : 'Upload a document to the library first.'}
          </Empty>
        )}
      </div>
    </div>
  );
}
