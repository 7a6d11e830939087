import { formatBytes } from '@scriptorium/contracts/format-bytes';
import { useState } from 'preact/hooks';
import { useResource } from '../../../api/hooks.ts';
import { requestFor } from '../../../api/request.ts';
import { Button } from '../../../kit/button.tsx';
import { TextField } from '../../../kit/fields/field.tsx';
import { ProblemNotice } from '../../../kit/states.tsx';
import { useSession } from '../../../shell/session.tsx';

const idPattern = /^(?:obj|img)_[0-9a-z]{26}$/;

/** Selects an object or image by its identifier, or an object by search. */
export function ResourcePicker(props: { value: string; onChange: (id: string) => void }) {
  const { value, onChange } = props;
  const { can } = useSession();
  const [text, setText] = useState(value);
  const query = text.trim();
  const shouldSearch = can('objects:read') && query.length >= 2 && !/^(?:obj|img)_/.test(query);
  const results = useResource(
    shouldSearch ? requestFor('listObjects', { q: query, originals: true, limit: 8 }) : null,
  );
  return (
    <div class="stack">
      <TextField
        label="Object or image"
        hint="Enter an ID (obj_…, img_…), or search for an object."
        type="search"
        value={text}
        onInput={(next) => {
          setText(next);
          onChange(idPattern.test(next.trim()) ? next.trim() : '');
        }}
      />
      <ProblemNotice problem={shouldSearch ? results.problem : undefined} />
      {shouldSearch && results.data && (
        <ul class="policy-found" aria-label="Objects found">
          {results.data.data.map(({ id, filename, mime, bytes }) => (
            <li key={id}>
              <Button
                small
                class="policy-option"
                pressed={id === value}
                onClick={() => onChange(id)}
              >
                <bdi>{filename}</bdi>
              </Button>{' '}
              <span class="soft">
                {mime}, {formatBytes(bytes)} · <span class="mono">{id}</span>
              </span>
            </li>
          ))}
          {results.data.data.length === 0 && <li class="soft">No matching objects</li>}
        </ul>
      )}
    </div>
  );
}
