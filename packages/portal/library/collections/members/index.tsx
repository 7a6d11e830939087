import type { CollectionRecord } from '@scriptorium/contracts/wire/library/collections';
import { Empty } from '../../../kit/states.tsx';
import { useSession } from '../../../shell/session.tsx';
import { BulkBar, useSelectable } from '../../browse/bulk/bar.tsx';
import { ItemActions } from '../../browse/bulk/item-actions.tsx';
import { useSelection } from '../../browse/grid/selection.ts';
import { ItemGrid } from '../../browse/item-grid.tsx';
import type { Results } from '../../browse/results.ts';
import { useView } from '../../browse/view.ts';
import { ViewButtons } from '../../browse/view-buttons.tsx';
import { MemberActions } from './member-actions.tsx';
import { useMoveMember } from './use-move-member.ts';

interface MembersProps {
  record: CollectionRecord;
  results: Results;
  onChanged: () => void;
}

/** The members of a collection. Those of a manual one can be moved, reordered and removed. */
export function Members({ record, results, onChanged }: MembersProps) {
  const { can } = useSession();
  const selection = useSelection(results);
  const [view, setView] = useView();
  const moveMember = useMoveMember(record.id, results);
  const isEditable =
    record.kind === 'manual' && record.state !== 'trashed' && can('collections:write');
  const isSelectable = useSelectable() || isEditable;
  return (
    <section class="stack" aria-label="Members">
      {results.count > 0 && (
        <div class="row library-view">
          <ViewButtons view={view} set={setView} />
        </div>
      )}
      <ItemGrid
        results={results}
        selection={selection}
        selectable={isSelectable}
        view={view}
        onMove={isEditable ? moveMember : undefined}
        empty={
          <Empty title="No members">
            {record.kind === 'smart'
              ? 'No images match the query.'
              : 'Add images and objects, or drop files here to upload them to this collection.'}
          </Empty>
        }
      />
      <BulkBar
        results={results}
        selection={selection}
        actions={(bulk) => (
          <>
            <ItemActions {...bulk} />
            {isEditable && <MemberActions {...bulk} record={record} onChanged={onChanged} />}
          </>
        )}
      />
    </section>
  );
}
