import { Button } from '../../../kit/button.tsx';
import { entityTitle } from '../../../kit/entity-titles.ts';
import { SelectField, TextField } from '../../../kit/fields/field.tsx';
import { standingTitles } from '../../words.ts';
import { type Filter, noFilter } from './filter.ts';

/** Chooses which findings are shown, by type, score and decision. */
export function Filters(props: {
  filter: Filter;
  /** The types found, with their numbers. */
  types: ReadonlyMap<string, number>;
  onChange: (filter: Filter) => void;
}) {
  const { filter, types, onChange } = props;
  const field = (name: keyof Filter) => (value: string) => onChange({ ...filter, [name]: value });
  const isOn = Object.values(filter).some((value) => value !== '');
  return (
    <form
      class="bench-filters"
      aria-label="Filter findings"
      onSubmit={(event) => event.preventDefault()}
    >
      <SelectField
        label="Type"
        value={filter.type}
        onChange={field('type')}
        options={[
          ['', 'Any'],
          ...[...types].map(([type, count]) => [type, `${entityTitle(type)} (${count})`] as const),
        ]}
      />
      <SelectField
        label="Decision"
        value={filter.standing}
        onChange={field('standing')}
        options={[['', 'Any'], ...Object.entries(standingTitles)]}
      />
      <TextField
        label="Score from, in %"
        type="number"
        min={0}
        max={100}
        step={5}
        value={filter.minScore}
        onInput={field('minScore')}
      />
      <TextField
        label="Score to, in %"
        type="number"
        min={0}
        max={100}
        step={5}
        value={filter.maxScore}
        onInput={field('maxScore')}
      />
      {isOn && (
        <Button small quiet onClick={() => onChange(noFilter)}>
          Clear filters
        </Button>
      )}
    </form>
  );
}
