import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../../kit/button.tsx';
import { formatCount } from '../../../kit/format-count.ts';
import { useRootClass } from '../../../kit/use-root-class.ts';
import { useSession } from '../../../shell/session.tsx';
import type { Selection } from '../grid/selection.ts';
import type { Item } from '../item.ts';
import type { Results } from '../results.ts';

export interface BulkProps {
  results: Results;
  selection: Selection;
  /** The number of selected items. */
  count: number;
}

/** Returns all selected items. Those that are not loaded are read page by page. @throws ApiProblem */
export function allSelected({ results, selection }: BulkProps): Promise<Item[]> {
  return selection.isAll ? results.loadAll() : Promise.resolve([...selection.items.values()]);
}

/** The selection and the actions on it, while something is selected. */
export function BulkBar(props: {
  results: Results;
  selection: Selection;
  /** What can be done with items of this list. */
  actions: (bulk: BulkProps) => ComponentChildren;
}) {
  return props.selection.isEmpty ? null : <OpenBulkBar {...props} />;
}

function OpenBulkBar({ results, selection, actions }: Parameters<typeof BulkBar>[0]) {
  useRootClass('with-bulk');
  const [announcement, setAnnouncement] = useState('');
  const count = selection.isAll ? (results.total ?? results.items.end) : selection.items.size;
  const text = selection.isAll
    ? `All ${formatCount(count)} selected`
    : `${formatCount(count)} of ${formatCount(results.total ?? 0)} selected`;
  // Announced after a series of changes, not after each one.
  useEffect(() => {
    const timer = window.setTimeout(() => setAnnouncement(text), 400);
    return () => window.clearTimeout(timer);
  }, [text]);
  return (
    <section class="browse-bulk" aria-label="Selection">
      <span>
        <strong>{text}</strong>
        <span class="visually-hidden" role="status">
          {announcement}
        </span>
      </span>
      {!selection.isAll && results.total !== undefined && results.total > count && (
        <Button small onClick={selection.selectAll}>
          Select all {formatCount(results.total)}
        </Button>
      )}
      {actions({ results, selection, count })}
      <Button
        quiet
        small
        onClick={() => {
          selection.clear();
          // The button disappears with the selection.
          document.querySelector<HTMLElement>('.browse-grid [tabindex="0"]')?.focus();
        }}
      >
        Clear selection
      </Button>
    </section>
  );
}

/** Whether the key can do anything with several items, which is why they can be selected. */
export function useSelectable(): boolean {
  const { can } = useSession();
  const scopes = ['images:write', 'objects:write', 'objects:download', 'documents:write'] as const;
  return scopes.some(can);
}
