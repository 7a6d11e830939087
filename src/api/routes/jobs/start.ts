import { type Static, Type } from 'typebox';
import { isId } from '../../../contracts/ids.ts';
import { limits } from '../../../contracts/limits.ts';
import { type OperationName, operationNames, operations } from '../../../contracts/operations.ts';
import { Id, Metadata } from '../../../contracts/wire/common.ts';
import { JobBatchResults, JobRecord } from '../../../contracts/wire/jobs.ts';
import { partial, strictObject, taggedUnion } from '../../../contracts/wire/shapes.ts';
import { askForSources, createJob, createJobs, type SourcesAhead } from '../../../jobs/create.ts';
import { completeOptions } from '../../../jobs/options.ts';
import { pageSelectionPattern } from '../../../jobs/page-ranges.ts';
import { problemDocument } from '../../frame/problem.ts';
import { accepted } from '../../frame/reply.ts';
import { type AheadCall, route } from '../../frame/route.ts';
import { acceptedJob, mayReadPii } from './accepted.ts';

const tag = 'Documents';

const source = {
  source_object_id: Id('object'),
};
const metadata = { metadata: Type.Optional(Metadata) };
const common = {
  pages: Type.Optional(
    Type.String({
      pattern: pageSelectionPattern,
      maxLength: 1_000,
      description:
        'Which pages, as in "1-3,7"; all unless said. A page past the last is out of range, even where others are not: 422 `pages_out_of_range` when the object\'s `pages` is known, else the operation fails with that code.',
    }),
  ),
  ...metadata,
};

/** An operation as a client asks for it: its name, and options that all have defaults. */
const operationSchema = taggedUnion(
  'op',
  operationNames.map((op) =>
    strictObject({ op: Type.Literal(op), options: Type.Optional(partial(operations[op].options)) }),
  ),
  { title: 'JobOperation' },
);
const operationList = Type.Array(operationSchema, { minItems: 1, maxItems: 10 });

/** Why no job is made of a source, whatever the operations. */
const refusals = [
  'quota_exceeded',
  'reference_not_found',
  'policy_denied',
  'state_conflict',
] as const;

const create = route({
  method: 'POST',
  path: '/v1/documents/jobs',
  operationId: 'createJob',
  tag,
  summary: 'Start a job: operations, in order, on the pages of an object.',
  description: 'Answers at once; poll the job, stream it, or let a webhook tell.',
  scopes: ['documents:write'],
  body: strictObject({ ...source, operations: operationList, ...common }),
  responses: { 202: JobRecord },
  secretResponse: true,
  problems: [...refusals, 'operation_order_invalid', 'pages_out_of_range'],
  together: true,
  ahead: sourceAhead,
  handler: async (call) => {
    const { body } = call;
    const job = await createJob(call.tx, call.origin, {
      sourceObjectId: body.source_object_id,
      operations: requested(body.operations),
      mayReadPii: mayReadPii(call.key),
      seal: call.deps.seal.seal,
      ocrLanguages: call.deps.settings.ocrLanguages,
      pages: body.pages ?? null,
      metadata: body.metadata ?? {},
      sources: call.ahead,
    });
    return acceptedJob(job);
  },
});

const createMany = route({
  method: 'POST',
  path: '/v1/documents/jobs/batch',
  operationId: 'createJobs',
  tag,
  summary: 'Start the same job on each of many objects.',
  description: [
    'With `on_error: "abort"` a job is made for every object or for none, and the problem names each object of which none can be made. With `continue` the others get theirs, and `results` says what is wrong with these; what is wrong with the operations is refused whole.',
    'Each job is one like any other: it has its own events, and ends on its own. Objects that are worked on wait for their turn; other projects do not wait for them.',
  ].join('\n\n'),
  scopes: ['documents:write'],
  work: 'heavy',
  body: strictObject({
    source_object_ids: Type.Array(Id('object'), {
      minItems: 1,
      maxItems: limits.jobs_per_batch,
      uniqueItems: true,
    }),
    operations: operationList,
    ...metadata,
    on_error: Type.Enum(['abort', 'continue'], {
      default: 'abort',
      description:
        '`abort`: a job for each or none. `continue`: for each of which one can be made.',
    }),
  }),
  responses: { 202: JobBatchResults },
  secretResponse: true,
  problems: [...refusals, 'operation_order_invalid'],
  handler: async (call) => {
    const { body, requestId } = call;
    const outcomes = await createJobs(
      call.tx,
      call.origin,
      {
        operations: requested(body.operations),
        mayReadPii: mayReadPii(call.key),
        seal: call.deps.seal.seal,
        ocrLanguages: call.deps.settings.ocrLanguages,
        pages: null,
        metadata: body.metadata ?? {},
      },
      body.source_object_ids,
      body.on_error,
    );
    const results = outcomes.map(({ sourceObjectId, job, problem }) => ({
      source_object_id: sourceObjectId,
      job,
      problem: problem && problemDocument(problem, requestId),
    }));
    const created = results.filter(({ job }) => job !== null).length;
    return accepted({ created, failed: results.length - created, results });
  },
});

const ocr = shorthand('ocr', {
  path: '/v1/documents/ocr',
  operationId: 'startOcr',
  summary: 'Recognise text: a job with this one operation, its options beside the source.',
});

const redact = shorthand('redact_pii', {
  path: '/v1/documents/redact',
  operationId: 'startRedaction',
  summary: 'Find personal data, remove it for good and prove that it is gone.',
  description:
    'A job with this one operation, its options beside the source. The pages of PDF and pictures are read first, by an `ocr` that is put before it. Nothing is stored that did not pass its checks.',
});

const classify = shorthand('classify', {
  path: '/v1/documents/classify',
  operationId: 'startClassification',
  summary: 'Tell what kind of document it is, and label the object with it.',
  description:
    'A job with this one operation, its options beside the source. The pages of PDF and pictures are read first, by an `ocr` that is put before it. Policies go by the labels from then on, when all pages were read with options that find out which way up they are; what some pages tell is shown, and counts for no policy.',
});

export const startRoutes = [create, createMany, ocr, redact, classify];

/** A job with one operation, its options beside the source. */
function shorthand<O extends OperationName>(
  op: O,
  described: { path: string; operationId: string; summary: string; description?: string },
) {
  return route({
    method: 'POST',
    ...described,
    tag,
    scopes: ['documents:write'],
    body: strictObject({ ...source, ...partial(operations[op].options).properties, ...common }),
    responses: { 202: JobRecord },
    secretResponse: true,
    problems: [...refusals, 'pages_out_of_range'],
    together: true,
    ahead: sourceAhead,
    handler: async (call) => {
      const { source_object_id, pages, metadata: kept, ...options } = call.body;
      const job = await createJob(call.tx, call.origin, {
        sourceObjectId: source_object_id,
        operations: [{ op, options: completeOptions(op, options) }],
        mayReadPii: mayReadPii(call.key),
        seal: call.deps.seal.seal,
        ocrLanguages: call.deps.settings.ocrLanguages,
        pages: pages ?? null,
        metadata: kept ?? {},
        sources: call.ahead,
      });
      return acceptedJob(job);
    },
  });
}

/** Asks for the source that a body names, which nobody has looked at yet. */
function sourceAhead({ tx, projectId, body }: AheadCall): SourcesAhead | null {
  if (typeof body !== 'object' || body === null || !('source_object_id' in body)) return null;
  const id = body.source_object_id;
  if (typeof id !== 'string' || !isId('object', id)) return null;
  return askForSources(tx, projectId, [id]);
}

/** Operations with all their options, and where these stand in the body. */
function requested(list: Static<typeof operationList>) {
  return list.map(({ op, options }, index) => ({
    op,
    options: completeOptions(op, options),
    at: `/operations/${index}/options`,
  }));
}
