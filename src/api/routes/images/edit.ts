import { ImageEditResults, ImageEdits } from '@scriptorium/contracts/wire/library/image-edits';
import { type EditOutcome, editImages, editMatching } from '../../../library/images/edit.ts';
import { requireAdditionalScopes } from '../../frame/admit.ts';
import { ok } from '../../frame/reply.ts';
import { problemDocument } from '../../frame/responses/problem.ts';
import { route } from '../../frame/route.ts';
import { readSelection } from './edit-forms.ts';
import { scopesOfQuery } from './query-scopes.ts';

export const updateImages = route({
  method: 'PATCH',
  path: '/v1/images',
  operationId: 'updateImages',
  tag: 'Images',
  summary: 'Update one image, several images, or all images that match a filter.',
  description: [
    'The body has one of four forms: `{id, if_match?, …fields}`, `{ids, patch}`, `{updates: [{id, if_match?, patch}]}` or `{filter, expected_count, patch}`.',
    'Patches are merged (RFC 7396). `tags` replaces all tags. `add_tags` and `remove_tags` are safe with concurrent edits. A patch without effect does not change the version and records no event.',
    'With `on_error: "abort"`, all images change or none, and the problem lists every fault with its pointer. With `continue`, all images that can be changed are changed, and `results` has the problems of the others. An invalid body rejects the request in both cases.',
    'The `If-Match` header applies to the form `{id}` only. In `updates`, use `if_match` next to each `id`. If the number of images that match `filter` is not `expected_count`, nothing changes and the request returns `count_changed` with `actual_count`. `filter` requires the `images:read` scope, and its `collection_id` also `collections:read`.',
  ].join('\n\n'),
  scopes: ['images:write'],
  work: 'heavy',
  idempotent: true,
  body: ImageEdits,
  responses: { 200: ImageEditResults },
  problems: ['reference_not_found', 'state_conflict', 'etag_mismatch', 'count_changed'],
  handler: async (call) => {
    const { tx, origin, body, key } = call;
    // The number of matches also reveals information.
    if (body.filter) requireAdditionalScopes(key, '`filter`', scopesOfQuery(body.filter));
    const { edits, matchingEdit } = readSelection(body, call.headers);
    const outcomes = matchingEdit
      ? await editMatching(tx, origin, matchingEdit, body.on_error)
      : await editImages(tx, origin, edits, body.on_error);
    return ok(presentOutcomes(outcomes, call.requestId));
  },
});

function presentOutcomes(outcomes: readonly EditOutcome[], requestId: string): ImageEditResults {
  const counts = { updated: 0, unchanged: 0, failed: 0 };
  const results: ImageEditResults['results'] = outcomes.map((result) => {
    const { id, outcome } = result;
    counts[outcome] += 1;
    return outcome === 'failed'
      ? { id, outcome, version: null, problem: problemDocument(result.problem, requestId) }
      : { id, outcome, version: result.version, problem: null };
  });
  return { ...counts, results };
}
