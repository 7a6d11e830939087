import { isId } from '@scriptorium/contracts/ids';
import { limits } from '@scriptorium/contracts/limits';
import { type OperationName, operations } from '@scriptorium/contracts/operations';
import { invalid, referenceNotFound } from '@scriptorium/contracts/problems';
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
import { askForSources, type SourcesAhead } from '../../../jobs/creating/sources.ts';
import { pageSelectionPattern } from '../../../jobs/pages/page-ranges.ts';
import { findPreset, openPreset } from '../../../jobs/presets/read.ts';
import type { Deps } from '../../deps.ts';
import { problemDocument } from '../../frame/answers/problem.ts';
import { accepted } from '../../frame/reply.ts';
import { type AheadCall, route } from '../../frame/route.ts';

const tag = 'Documents';

const source = {
  source_object_id: Id('object'),
};
const work = {
  operations: Type.Optional(OperationList),
  preset_id: Type.Optional(
    Type.Unsafe<string>({ ...Id('preset'), description: 'A preset, instead of `operations`.' }),
  ),
};
const metadata = { metadata: Type.Optional(Metadata) };
const common = {
  pages: Type.Optional(
    Type.String({
      pattern: pageSelectionPattern,
      maxLength: 1_000,
      description:
        'The pages to process, such as `1-3,7`. Default: all pages. Every page must exist. If the page count of the object is known, the request returns 422 `pages_out_of_range`; otherwise the operation fails with that code.',
    }),
  ),
  ...metadata,
};

/** The error codes of a source, whatever the operations. */
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
  body: strictObject({ ...source, ...work, ...common }),
  responses: { 202: JobRecord },
  secretResponse: true,
  problems: [...startProblems, 'operation_order_invalid', 'pages_out_of_range'],
  batched: true,
  ahead: sourceAhead,
  handler: async (call) => {
    const { body } = call;
    const job = await createJob(call.tx, call.origin, {
      sourceObjectId: body.source_object_id,
      operations: await chosenOperations(call),
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
    ...work,
    ...metadata,
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
        operations: await chosenOperations(call),
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
    'Finds personal data, removes it permanently, and verifies that it is gone. PDFs and images get an implicit `ocr` operation first. An output is stored only if it passes verification.',
});

const classify = shorthand('classify', {
  path: '/v1/documents/classify',
  operationId: 'startClassification',
  summary: 'Start a job with the single operation `classify`.',
  description:
    'Detects the type of document and labels the object with it. PDFs and images get an implicit `ocr` operation first. Policies use the labels only if all pages were processed with `rotate` enabled; labels of a part of the pages are only shown.',
});

export const startRoutes = [create, createMany, ocr, redact, classify];

/** A route that starts a job with one operation, with its options at the top level of the body. */
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
    problems: [...startProblems, 'pages_out_of_range'],
    batched: true,
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

/** Reads the source in an unvalidated body. */
function sourceAhead({ tx, projectId, body }: AheadCall): SourcesAhead | null {
  if (typeof body !== 'object' || body === null || !('source_object_id' in body)) return null;
  const id = body.source_object_id;
  if (typeof id !== 'string' || !isId('object', id)) return null;
  return askForSources(tx, projectId, [id]);
}

/**
 * The operations of a request: its own, or those of its preset.
 * @throws Problem 422 for both or neither, and for a preset that does not exist
 */
async function chosenOperations({
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
    throw invalid([{ pointer: '', code: 'one_of', detail }]);
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

/** How a call reads jobs: how to open sealed options, and whether personal data may be returned. */
export function readerOf({ key, deps }: { key: Identity; deps: Pick<Deps, 'seal'> }) {
  return { unseal: deps.seal.open, mayReadPii: mayReadPii(key) };
}

/** Whether a key may see personal data and have it stored unredacted. */
export function mayReadPii({ scopes }: Identity): boolean {
  return grants(scopes, 'pii:read');
}
