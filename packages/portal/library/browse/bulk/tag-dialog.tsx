import { pluralise } from '@scriptorium/contracts/pluralise';
import { useState } from 'preact/hooks';
import { requestFor } from '../../../api/request.ts';
import { ApiCalls } from '../../../kit/api-calls.tsx';
import { Button } from '../../../kit/button.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { TagsField } from '../../../kit/fields/tags-field.tsx';
import { formatCount } from '../../../kit/format-count.ts';
import { ProblemNotice } from '../../../kit/states.tsx';
import { toast } from '../../../kit/toasts.tsx';

import type { Item } from '../item.ts';
import { allSelected, type BulkProps } from './bar.tsx';
import { applyTagChange, type TagChange, tagItems, tagMatching, tagRequest } from './changes.ts';
import { BulkProgress, FailedItems } from './progress.tsx';
import { useBulk } from './use-bulk.ts';

/** Adds tags to the selected items, or removes them. */
export function TagDialog(props: BulkProps & { action: TagChange['action']; onClose: () => void }) {
  const { results, selection, count, action, onClose } = props;
  const [tags, setTags] = useState<string[]>([]);
  const [expectedCount, setExpectedCount] = useState(count);
  const bulk = useBulk();
  const filter = selection.isAll ? results.filter : null;
  const suggestions =
    action === 'remove' && !selection.isAll
      ? [...new Set([...selection.items.values()].flatMap((item) => item.tags))].sort()
      : (results.facets?.tag.map(({ value }) => value) ?? []);

  const start = async (): Promise<void> => {
    if (tags.length === 0 || bulk.busy) return;
    const change: TagChange = { action, tags };
    const outcome = await bulk.run(async (onProgress) => {
      if (filter) return tagMatching(filter, expectedCount, change);
      return tagItems(await allSelected(props), change, onProgress);
    });
    if (!outcome) return;
    const succeeded = new Set(outcome.succeededIds);
    const applyChange = (item: Item): Item =>
      succeeded.has(item.id)
        ? { ...item, tags: applyTagChange(item.tags, change), ...outcome.after?.get(item.id) }
        : item;
    if (mayStopMatching(results.query, action)) {
      // Only the server knows which items still match.
      selection.clear();
      results.reload();
    } else {
      results.edit(applyChange);
      selection.edit(applyChange);
    }
    if (outcome.succeededIds.length > 0) {
      const items = pluralise(outcome.succeededIds.length, 'item');
      toast('good', `${action === 'add' ? 'Tags added to' : 'Tags removed from'} ${items}.`);
    }
    if (outcome.failed.length === 0) onClose();
  };
  const actualCount = bulk.problem?.document.actual_count;
  const isCountChanged = bulk.problem?.code === 'count_changed' && typeof actualCount === 'number';
  const change: TagChange = { action, tags: tags.length > 0 ? tags : ['tag'] };
  const [firstItem] = selection.items.values();
  const exampleRequest =
    filter || firstItem?.kind === 'image'
      ? tagRequest(
          filter
            ? { filter, expected_count: expectedCount }
            : { ids: [...selection.items.keys()].filter((id) => id.startsWith('img_')) },
          change,
        )
      : requestFor('updateObject', {
          id: firstItem?.id ?? 'obj_…',
          version: firstItem?.version ?? 1,
          body: {
            tags: applyTagChange(firstItem?.tags ?? [], change),
          },
        });
  return (
    <Dialog
      title={action === 'add' ? 'Add tags' : 'Remove tags'}
      onClose={onClose}
      onSubmit={() => void start()}
      footer={
        <>
          <ApiCalls calls={[[action === 'add' ? 'Add tags' : 'Remove tags', exampleRequest]]} />
          <Button onClick={onClose}>{bulk.failed.length > 0 ? 'Close' : 'Cancel'}</Button>
          {!isCountChanged && (
            <Button primary type="submit" busy={bulk.busy}>
              {action === 'add' ? 'Add to' : 'Remove from'} {pluralise(expectedCount, 'item')}
            </Button>
          )}
        </>
      }
    >
      <TagsField
        label={action === 'add' ? 'Tags to add' : 'Tags to remove'}
        hint="Press Enter or type a comma to add a tag."
        tags={tags}
        autofocus
        suggestions={suggestions}
        onChange={setTags}
      />
      {bulk.busy && !filter && <BulkProgress settled={bulk.settled} count={count} />}
      {bulk.failed.length > 0 && <FailedItems failed={bulk.failed} />}
      {isCountChanged ? (
        <div class="notice warn" role="alert">
          <p>
            The number of matches changed from {formatCount(expectedCount)} to{' '}
            {formatCount(actualCount)}. Nothing was changed.
          </p>
          <Button
            onClick={() => {
              setExpectedCount(actualCount);
              bulk.clearProblem();
            }}
          >
            Continue with {formatCount(actualCount)}
          </Button>
        </div>
      ) : (
        <ProblemNotice problem={bulk.problem} />
      )}
    </Dialog>
  );
}

/** Whether items may no longer match the filters after tags were added or removed. */
function mayStopMatching(
  query: BulkProps['results']['query'],
  action: TagChange['action'],
): boolean {
  const terms = [query.tag ?? []].flat().map(String);
  const words = String(query.q ?? '');
  const untagged = String(query.untagged ?? '');
  if (action === 'remove') return terms.length > 0 || words !== '' || untagged === 'false';
  return terms.some((term) => term.startsWith('-')) || words.includes('-') || untagged === 'true';
}
