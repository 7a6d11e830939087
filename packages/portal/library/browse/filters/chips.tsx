import { Button } from '../../../kit/button.tsx';
import { chipsOf, type QueryChanges, type ResourceNames, withoutFilters } from './filters.ts';

/** The active filters, each with a button that removes it. */
export function Chips(props: {
  address: URLSearchParams;
  set: (changes: QueryChanges) => void;
  names: ResourceNames;
}) {
  const chips = chipsOf(props.address, props.names);
  if (chips.length === 0) return null;
  return (
    <ul class="browse-chips" aria-label="Active filters">
      {chips.map(({ label, removal }) => (
        <li key={label} class="chip">
          <span dir="auto">{label}</span>
          <Button quiet small label={`Remove filter ${label}`} onClick={() => props.set(removal)}>
            ×
          </Button>
        </li>
      ))}
      <li>
        <Button quiet small onClick={() => props.set(withoutFilters(props.address))}>
          Clear all
        </Button>
      </li>
    </ul>
  );
}
