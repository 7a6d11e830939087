import { useState } from 'preact/hooks';
import { Button } from '../button.tsx';
import { TextField } from '../fields/field.tsx';
import { fromDateTimeLocal, toDateTimeLocal } from '../local-time.ts';
import { Choices } from './choices.tsx';
import type { Filter } from './filter.ts';

const timeRanges = [
  ['Last hour', 3_600_000],
  ['Last 24 hours', 86_400_000],
  ['Last 7 days', 7 * 86_400_000],
] as const;

/** Edits the value of a filter, in a list of options or in a field. */
export function FilterEditor(props: { of: Filter; onSet: (value: string) => void }) {
  const { of: filter, onSet } = props;
  if (filter.kind === 'choice') {
    return (
      <Choices
        label={filter.title}
        options={filter.options}
        value={filter.value}
        {...(filter.free ? { free: filter.free } : {})}
        onChoose={onSet}
      />
    );
  }
  return <FieldEditor of={filter} onSet={onSet} />;
}

function FieldEditor(props: {
  of: Exclude<Filter, { kind: 'choice' }>;
  onSet: (value: string) => void;
}) {
  const { of: filter, onSet } = props;
  const isTime = filter.kind === 'time';
  const [text, setText] = useState(isTime ? toDateTimeLocal(filter.value) : filter.value);
  const [fault, setFault] = useState<string | undefined>();
  const apply = (): void => {
    const value = isTime ? fromDateTimeLocal(text) : text.trim();
    const error = filter.kind === 'text' && value !== '' ? filter.check?.(value) : undefined;
    setFault(error);
    if (!error) onSet(value);
  };
  return (
    <form
      class="filter-field"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      {isTime && filter.spans && (
        <div class="filter-spans">
          {timeRanges.map(([name, ms]) => (
            <Button
              key={name}
              quiet
              small
              onClick={() => onSet(new Date(Date.now() - ms).toISOString())}
            >
              {name}
            </Button>
          ))}
        </div>
      )}
      <TextField
        label={filter.title}
        type={isTime ? 'datetime-local' : filter.kind === 'day' ? 'date' : 'text'}
        value={text}
        onInput={setText}
        fault={fault}
        {...(filter.kind === 'text' && filter.example ? { placeholder: filter.example } : {})}
        {...(filter.kind === 'text' && filter.hint ? { hint: filter.hint } : {})}
      />
      <Button primary small type="submit">
        Apply
      </Button>
    </form>
  );
}
