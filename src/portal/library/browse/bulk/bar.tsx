import { Button } from '../../../kit/button.tsx';
import { formatCount } from '../../../kit/values.tsx';
import type { Results } from '../results.ts';
import type { Selection } from '../selection.ts';

/** What can be done with all that is selected. */
export function BulkBar(props: {
  address: URLSearchParams;
  results: Results;
  selection: Selection;
  writable: boolean;
}) {
  const { results, selection } = props;
  const count = selection.all ? results.total : selection.items.size;
  return (
    <section class="browse-bulk" aria-label="The selection">
      <span role="status">{formatCount(count ?? 0)} selected</span>
      <Button quiet onClick={selection.clear}>
        Clear
      </Button>
    </section>
  );
}
