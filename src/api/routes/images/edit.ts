import { ImageEditResults, ImageEdits } from '../../../contracts/wire/image-edits.ts';
import { type EditOutcome, editImages, editMatching } from '../../../library/images/edit.ts';
import { problemDocument } from '../../frame/problem.ts';
import { ok } from '../../frame/reply.ts';
import { route } from '../../frame/route.ts';
import { readSelection } from './edit-forms.ts';

export const updateImages = route({
  method: 'PATCH',
  path: '/v1/images',
  operationId: 'updateImages',
  tag: 'Images',
  summary: 'Change images: one, several alike, each in its own way, or all that match a filter.',
  description: [
    'The body says which, in exactly one of four forms: `{id, if_match?, …fields}`, `{ids, patch}`, `{updates: [{id, if_match?, patch}]}`, `{filter, expected_count, patch}`.',
    'Patches are merged (RFC 7396). `tags` replaces all tags; `add_tags` and `remove_tags` leave alone what others add and remove at the same time. What changes nothing leaves the version as it is and makes no event.',
    'With `on_error: "abort"` all images change or none, and the problem names every fault with its pointer. With `continue` each that can changes, and `results` says what became of the others; a body that breaks a rule whatever the images are is refused whole.',
    '`If-Match` goes with the form `{id}` only; elsewhere `if_match` stands beside the `id`. When `filter` matches another number of images than `expected_count`, nothing is changed, and the problem `count_changed` has their number as `actual_count`.',
  ].join('\n\n'),
  scopes: ['images:write'],
  work: 'heavy',
  idempotent: true,
  body: ImageEdits,
  responses: { 200: ImageEditResults },
  problems: ['reference_not_found', 'state_conflict', 'etag_mismatch', 'count_changed'],
  handler: async (call) => {
    const { tx, origin, body } = call;
    const { edits, alike } = readSelection(body, call.headers);
    const outcomes = alike
      ? await editMatching(tx, origin, alike, body.on_error)
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
