import { pluralise } from '@scriptorium/contracts/pluralise';
import { useState } from 'preact/hooks';
import { requestFor } from '../../../api/request.ts';
import { ApiCalls } from '../../../kit/api-call.tsx';
import { Button } from '../../../kit/button.tsx';
import { formatCount } from '../../../kit/count.ts';
import { Dialog } from '../../../kit/dialog.tsx';
import { TagsField } from '../../../kit/fields/tags-field.tsx';
import { ProblemNotice } from '../../../kit/states.tsx';
import { toast } from '../../../kit/toasts.tsx';

import { imageFiltersOf } from '../filters/filters.ts';
import type { Item } from '../item.ts';
import { allSelected } from './all.ts';
import type { BulkProps } from './bar.tsx';
import {
  type TagChange,
  tagImages,
  tagMatching,
  tagObjects,
  tagRequest,
  tagsAfter,
} from './changes.ts';
import { BulkProgress, FailedItems } from './progress.tsx';
import { useBulk } from './use-bulk.ts';

/** Adds tags to the selected items, or removes them. */
export function TagDialog(props: BulkProps & { how: TagChange['how']; onClose: () => void }) {
  const { address, results, selection, count, how, onClose } = props;
  const [tags, setTags] = useState<string[]>([]);
  const [expected, setExpected] = useState(count);
  const bulk = useBulk();
  const isImages = results.kind === 'images';
  const byFilter = isImages && selection.all;
  const filter = imageFiltersOf(address, results.correctedQuery);
  const suggestions =
    how === 'remove' && !selection.all
      ? [...new Set([...selection.items.values()].flatMap((item) => item.tags))].sort()
      : (results.facets?.tag.map(({ value }) => value) ?? []);

  const start = async (): Promise<void> => {
    if (tags.length === 0 || bulk.busy) return;
    const change: TagChange = { how, tags };
    const outcome = await bulk.run(async (onProgress) => {
      if (byFilter) return tagMatching(filter, expected, change);
      const items = await allSelected(results, selection, () => undefined);
      return (isImages ? tagImages : tagObjects)(items, change, onProgress);
    });
    if (!outcome) return;
    const done = new Set(outcome.done);
    const changed = (item: Item): Item =>
      done.has(item.id)
        ? { ...item, tags: tagsAfter(item.tags, change), ...outcome.after?.get(item.id) }
        : item;
    if (mayLeave(results.query, how)) {
      // Only the server knows which of them still match.
      selection.clear();
      results.reload();
    } else {
      results.edit(changed);
      selection.edit(changed);
    }
    if (outcome.done.length > 0) {
      const items = pluralise(outcome.done.length, 'item');
      toast('good', `${how === 'add' ? 'Tags added to' : 'Tags removed from'} ${items}.`);
    }
    if (outcome.failed.length === 0) onClose();
  };
  const actual = bulk.problem?.document.actual_count;
  const isChanged = bulk.problem?.code === 'count_changed' && typeof actual === 'number';
  const change: TagChange = { how, tags: tags.length > 0 ? tags : ['tag'] };
  const [one] = selection.items.values();
  const call = isImages
    ? tagRequest(
        byFilter ? { filter, expected_count: expected } : { ids: [...selection.items.keys()] },
        change,
      )
    : requestFor('updateObject', {
        id: one?.id ?? 'obj_…',
        version: one?.version ?? 1,
        body: {
          tags: tagsAfter(one?.tags ?? [], change),
        },
      });
  return (
    <Dialog
      title={how === 'add' ? 'Add tags' : 'Remove tags'}
      onClose={onClose}
      onSubmit={() => void start()}
      footer={
        <>
          <ApiCalls calls={[[how === 'add' ? 'Add tags' : 'Remove tags', call]]} />
          <Button onClick={onClose}>{bulk.failed.length > 0 ? 'Close' : 'Cancel'}</Button>
          {!isChanged && (
            <Button primary type="submit" busy={bulk.busy}>
              {how === 'add' ? 'Add to' : 'Remove from'} {pluralise(expected, 'item')}
            </Button>
          )}
        </>
      }
    >
      <TagsField
        label={how === 'add' ? 'Tags to add' : 'Tags to remove'}
        hint="Press Enter or type a comma to add a tag."
        tags={tags}
        autofocus
        suggestions={suggestions}
        onChange={setTags}
      />
      {bulk.busy && !byFilter && <BulkProgress settled={bulk.settled} count={count} />}
      {bulk.failed.length > 0 && <FailedItems failed={bulk.failed} />}
      {isChanged ? (
        <div class="notice warn" role="alert">
          <p>
            The number of matches changed from {formatCount(expected)} to {formatCount(actual)}.
            Nothing was changed.
          </p>
          <Button
            onClick={() => {
              setExpected(actual);
              bulk.forget();
            }}
          >
            Continue with {formatCount(actual)}
          </Button>
        </div>
      ) : (
        <ProblemNotice problem={bulk.problem} />
      )}
    </Dialog>
  );
}

/** Whether items may no longer match the filters after tags were added or removed. */
function mayLeave(query: BulkProps['results']['query'], how: TagChange['how']): boolean {
  const terms = [query.tag ?? []].flat().map(String);
  const words = String(query.q ?? '');
  const untagged = String(query.untagged ?? '');
  if (how === 'remove') return terms.length > 0 || words !== '' || untagged === 'false';
  return terms.some((term) => term.startsWith('-')) || words.includes('-') || untagged === 'true';
}
