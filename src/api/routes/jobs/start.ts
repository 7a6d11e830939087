import { isId } from '@scriptorium/contracts/ids';
import { limits } from '@scriptorium/contracts/limits';
import { type OperationName, operations } from '@scriptorium/contracts/operations';
import { referenceNotFound, validationFailed } from '@scriptorium/contracts/problems';
import { grants } from '@scriptorium/contracts/scopes';
import { Id, Metadata } from '@scriptorium/contracts/wire/common';
import { JobBatchResults, JobRecord } from '@scriptorium/contracts/wire/jobs';
import { OperationList } from '@scriptorium/contracts/wire/operations';
import { partial, strictObject } from '@scriptorium/contracts/wire/shapes';
import { Type } from 'typebox';
import type { Identity } from '../../../access/authenticate.ts';
import type { Tx } from '../../../db/transaction.ts';
import {
  completeOptions,
  type RequestedOperation,
  requestedOperations,
} from '../../../jobs/creating/check.ts';
import { createJob, createJobs } from '../../../jobs/creating/create.ts';
import { type SourceReads, sendSourceReads } from '../../../jobs/creating/sources.ts';
import { pageSelectionPattern } from '../../../jobs/pages/page-ranges.ts';
import { findPreset, openPreset } from '../../../jobs/presets/read.ts';
import type { Deps } from '../../deps.ts';
import { accepted } from '../../frame/reply.ts';
import { problemDocument } from '../../frame/responses/problem.ts';
import { type EarlyReadsCall, route } from '../../frame/route.ts';

const tag = 'Documents';

const sourceFields = {
  source_object_id: Id('object'),
};
const operationFields = {
  operations: Type.Optional(OperationList),
  preset_id: Type.Optional(
    Type.Unsafe<string>({ ...Id('preset'), description: 'A preset, instead of `operations`.' }),
  ),
};
const metadataField = { metadata: Type.Optional(Metadata) };
const commonFields = {
  pages: Type.Optional(
    Type.String({
      pattern: pageSelectionPattern,
      maxLength: 1_000,
      description:
        'The pages to process, such as `1-3,7`. Default: all pages. Every page must exist. If the page count of the object is known, the request returns 422 `pages_out_of_range`; otherwise the operation fails with that code.',
    }),
  ),
  ...metadataField,
};

/** The error codes that all routes that start a job have in common. */
const startProblems = [
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
  summary: 'Start a job that runs operations in order on the pages of an object.',
  description: 'Returns immediately. To follow the job, poll it, stream it or use a webhook.',
  scopes: ['documents:write'],
  body: strictObject({ ...sourceFields, ...operationFields, ...commonFields }),
  responses: { 202: JobRecord },
  secretResponse: true,
  problems: [...startProblems, 'operation_order_invalid', 'pages_out_of_range'],
  batched: true,
  earlyReads: readSourceEarly,
  handler: async (call) => {
    const { body } = call;
    const job = await createJob(call.tx, call.origin, {
      sourceObjectId: body.source_object_id,
      operations: await resolveOperations(call),
      mayReadPii: mayReadPii(call.key),
      seal: call.deps.seal.seal,
      ocrLanguages: call.deps.settings.ocrLanguages,
      pages: body.pages ?? null,
      metadata: body.metadata ?? {},
      sources: call.earlyReads,
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
    'With `on_error: "abort"`, a job is created for every object or for none, and the problem names each object that cannot be processed. With `continue`, `results` has the job or the problem of each object. Invalid operations reject the request in both cases.',
    'Each job is independent and has its own events. Large batches do not delay other projects.',
  ].join('\n\n'),
  scopes: ['documents:write'],
  work: 'heavy',
  body: strictObject({
    source_object_ids: Type.Array(Id('object'), {
      minItems: 1,
      maxItems: limits.jobs_per_batch,
      uniqueItems: true,
    }),
    ...operationFields,
    ...metadataField,
    on_error: Type.Enum(['abort', 'continue'], {
      default: 'abort',
      description:
        '`abort`: a job for every object or for none. `continue`: a job for every object that can be processed.',
    }),
  }),
  responses: { 202: JobBatchResults },
  secretResponse: true,
  problems: [...startProblems, 'operation_order_invalid'],
  handler: async (call) => {
    const { body, requestId } = call;
    const outcomes = await createJobs(
      call.tx,
      call.origin,
      {
        operations: await resolveOperations(call),
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
  summary: 'Start a job with the single operation `ocr`.',
});

const redact = shorthand('redact_pii', {
  path: '/v1/documents/redact',
  operationId: 'startRedaction',
  summary: 'Start a job with the single operation `redact_pii`.',
  description:
    'Finds personal data, removes it permanently, and verifies the removal. PDFs and images get an implicit `ocr` operation first. An output is stored only if it passes verification.',
});

const classify = shorthand('classify', {
  path: '/v1/documents/classify',
  operationId: 'startClassification',
  summary: 'Start a job with the single operation `classify`.',
  description:
    'Detects the type of document and labels the object with it. PDFs and images get an implicit `ocr` operation first. Policies use the labels only if all pages were processed with `rotate` enabled; labels from only some of the pages are shown, but not used.',
});

export const startRoutes = [create, createMany, ocr, redact, classify];

/** A route that starts a job with one operation, with its options at the top level of the body. */
function shorthand<O extends OperationName>(
  op: O,
  declaration: { path: string; operationId: string; summary: string; description?: string },
) {
  return route({
    method: 'POST',
    ...declaration,
    tag,
    scopes: ['documents:write'],
    body: strictObject({
      ...sourceFields,
      ...partial(operations[op].options).properties,
      ...commonFields,
    }),
    responses: { 202: JobRecord },
    secretResponse: true,
    problems: [...startProblems, 'pages_out_of_range'],
    batched: true,
    earlyReads: readSourceEarly,
    handler: async (call) => {
      const { source_object_id, pages, metadata, ...options } = call.body;
      const job = await createJob(call.tx, call.origin, {
        sourceObjectId: source_object_id,
        operations: [{ op, options: completeOptions(op, options) }],
        mayReadPii: mayReadPii(call.key),
        seal: call.deps.seal.seal,
        ocrLanguages: call.deps.settings.ocrLanguages,
        pages: pages ?? null,
        metadata: metadata ?? {},
        sources: call.earlyReads,
      });
      return acceptedJob(job);
    },
  });
}

/** Reads the source in an unvalidated body. */
function readSourceEarly({ tx, projectId, body }: EarlyReadsCall): SourceReads | null {
  if (typeof body !== 'object' || body === null || !('source_object_id' in body)) return null;
  const id = body.source_object_id;
  if (typeof id !== 'string' || !isId('object', id)) return null;
  return sendSourceReads(tx, projectId, [id]);
}

/**
 * The operations of a request, or of its preset.
 * @throws Problem 422 for both or neither, and for a preset that does not exist
 */
async function resolveOperations({
  tx,
  deps,
  body: { operations, preset_id: presetId },
}: {
  tx: Tx;
  deps: Deps;
  body: { operations?: OperationList; preset_id?: string };
}): Promise<RequestedOperation[]> {
  if (operations && presetId === undefined) return requestedOperations(operations);
  if (operations || presetId === undefined) {
    const detail = 'It must have exactly one of `operations` and `preset_id`.';
    throw validationFailed([{ pointer: '', code: 'one_of', detail }]);
  }
  const preset = await findPreset(tx, presetId);
  if (!preset) throw referenceNotFound('/preset_id', presetId);
  const opened = openPreset(preset, { unseal: deps.seal.open });
  return opened.map((operation) => ({ ...operation, at: '/preset_id' }));
}

/** 202 with a job and its URL. */
export function acceptedJob(job: JobRecord) {
  return accepted(job, `/v1/documents/jobs/${job.id}`, { version: job.version });
}

/**
 * Returns how a call reads jobs: the function that decrypts options, and whether it may return
 * personal data.
 */
export function readerOf({ key, deps }: { key: Identity; deps: Pick<Deps, 'seal'> }) {
  return { unseal: deps.seal.open, mayReadPii: mayReadPii(key) };
}

/** Whether a key may read personal data, and have it stored unredacted. */
export function mayReadPii({ scopes }: Identity): boolean {
  return grants(scopes, 'pii:read');
}
