import { Button } from '../../../kit/button.tsx';
import { entityTitle } from '../../../kit/entity-titles.ts';
import { SelectField, TextField } from '../../../kit/fields/field.tsx';
import { outcomeTitles } from '../../finding-text.ts';
import { type Filter, noFilter } from './filter.ts';
import type { GroupOrder } from './groups.ts';

/** Selects the findings to show, by type, score and decision, and their order. */
export function FilterForm(props: {
  filter: Filter;
  /** The number of findings of each type. */
  types: ReadonlyMap<string, number>;
  onChange: (filter: Filter) => void;
  order: GroupOrder;
  onOrder: (order: GroupOrder) => void;
}) {
  const { filter, types, onChange, order, onOrder } = props;
  const setField = (name: keyof Filter) => (value: string) =>
    onChange({ ...filter, [name]: value });
  const isActive = Object.values(filter).some((value) => value !== '');
  return (
    <form
      class="bench-filters"
      aria-label="Filter findings"
      onSubmit={(event) => event.preventDefault()}
    >
      <SelectField
        label="Type"
        value={filter.type}
        onChange={setField('type')}
        options={[
          ['', 'Any'],
          ...[...types].map(([type, count]) => [type, `${entityTitle(type)} (${count})`] as const),
        ]}
      />
      <SelectField
        label="Decision"
        value={filter.outcome}
        onChange={setField('outcome')}
        options={[['', 'Any'], ...Object.entries(outcomeTitles)]}
      />
      <TextField
        label="Score from, in %"
        type="number"
        min={0}
        max={100}
        step={5}
        value={filter.minScore}
        onInput={setField('minScore')}
      />
      <TextField
        label="Score to, in %"
        type="number"
        min={0}
        max={100}
        step={5}
        value={filter.maxScore}
        onInput={setField('maxScore')}
      />
      <SelectField
        label="Order"
        value={order}
        onChange={(value) => onOrder(value === 'page' ? 'page' : 'doubt')}
        options={[
          ['doubt', 'Lowest score first'],
          ['page', 'By page'],
        ]}
      />
      {isActive && (
        <Button small quiet onClick={() => onChange(noFilter)}>
          Clear filters
        </Button>
      )}
    </form>
  );
}
