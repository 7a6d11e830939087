import { useState } from 'preact/hooks';
import { useAnswer } from '../../../api/hooks.ts';
import { Button } from '../../../kit/button.tsx';
import { TextField } from '../../../kit/field.tsx';
import { formatBytes } from '../../../kit/values.tsx';
import { useSession } from '../../../shell/session.tsx';
import { searchObjects } from '../requests.ts';

const shape = /^(?:obj|img)_[0-9a-z]{26}$/;

/** An object or image by its identifier, or an object found by words. */
export function ResourcePicker(props: { value: string; onChange: (id: string) => void }) {
  const { value, onChange } = props;
  const { can } = useSession();
  const [text, setText] = useState(value);
  const words = text.trim();
  const searches = can('objects:read') && words.length >= 2 && !/^(?:obj|img)_/.test(words);
  const found = useAnswer(searches ? searchObjects(words) : null);
  return (
    <div class="stack">
      <TextField
        label="Object or image"
        hint="Its identifier (obj_…, img_…), or words to find it by."
        type="search"
        value={text}
        onInput={(next) => {
          setText(next);
          onChange(shape.test(next.trim()) ? next.trim() : '');
        }}
      />
      {searches && found.data && (
        <ul class="policy-found" aria-label="Objects found">
          {found.data.data.map(({ id, filename, mime, bytes }) => (
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
          {found.data.data.length === 0 && <li class="soft">No object is found by these words.</li>}
        </ul>
      )}
    </div>
  );
}
