import { pluralise } from '@scriptorium/contracts/pluralise';
import type {
  CollectionRecord,
  ListedMember,
} from '@scriptorium/contracts/wire/library/collections';
import { useAction } from '../../../api/hooks.ts';
import { requestFor } from '../../../api/request.ts';
import { ApiCalls } from '../../../kit/api-calls.tsx';
import { Button } from '../../../kit/button.tsx';
import { formatCount } from '../../../kit/format-count.ts';
import { toast } from '../../../kit/toasts.tsx';
import { changeMembers } from './change.ts';
import { refOf } from './use-reorder.ts';

/** The API's maximum for one batch. */
const batchSize = 500;

/** The actions on the selected members. */
export function SelectionBar(props: {
  record: CollectionRecord;
  chosen: readonly ListedMember[];
  loadedCount: number;
  onSelectAll: () => void;
  onClear: () => void;
  onRemoved: (keys: ReadonlySet<string>) => void;
  onChanged: () => void;
}) {
  const { record, chosen } = props;
  const { run, busy } = useAction();
  const refs = chosen.map(refOf);
  const remove = async (): Promise<void> => {
    const removedIds = new Set<string>();
    for (let at = 0; at < refs.length; at += batchSize) {
      const answer = await run(
        changeMembers(record.id, { remove: refs.slice(at, at + batchSize) }),
      );
      if (!answer) break;
      for (const { resource_id: id, outcome } of answer.data.results) {
        if (outcome === 'removed') removedIds.add(id);
      }
    }
    props.onRemoved(removedIds);
    if (removedIds.size > 0) {
      toast('good', `${pluralise(removedIds.size, 'member')} removed from the collection.`);
    }
  };
  const image = chosen.length === 1 && chosen[0]!.resource_type === 'image' ? chosen[0]! : null;
  const coverRequest = requestFor('updateCollection', {
    id: record.id,
    body: { cover: image?.resource_id ?? null },
  });
  return (
    <section class="row members-bar" aria-label="Selection">
      <span role="status">{formatCount(chosen.length)} selected</span>
      <Button
        small
        onClick={chosen.length === props.loadedCount ? props.onClear : props.onSelectAll}
      >
        {chosen.length === props.loadedCount
          ? 'Clear selection'
          : `Select all ${props.loadedCount} shown`}
      </Button>
      {chosen.length > 0 && (
        <>
          <Button small busy={busy} onClick={() => void remove()}>
            Remove
          </Button>
          {image && image.resource_id !== record.cover && (
            <Button
              small
              busy={busy}
              onClick={async () => {
                if (!(await run(coverRequest))) return;
                toast('good', 'Cover updated.');
                props.onChanged();
              }}
            >
              Use as cover
            </Button>
          )}
          <ApiCalls
            calls={[
              ['Remove members', changeMembers(record.id, { remove: refs.slice(0, batchSize) })],
              ['Set cover', coverRequest],
              [
                'Move member',
                requestFor('moveCollectionMember', {
                  id: record.id,
                  type: refs[0]!.resource_type,
                  rid: refs[0]!.resource_id,
                  body: { before: refs.at(-1)! },
                }),
              ],
            ]}
          />
        </>
      )}
    </section>
  );
}
