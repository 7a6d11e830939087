import { type Static, type TSchema, Type } from 'typebox';
import { jobStates } from './jobs.ts';
import { operationNames } from './operations.ts';

interface EventType {
  resource: string;
  category: 'domain' | 'audit';
  summary: string;
  data: TSchema;
  example: unknown;
}

const strict = { additionalProperties: false };
const none = Type.Object({}, strict);

const objectFacts = Type.Object(
  {
    filename: Type.String(),
    mime: Type.String(),
    bytes: Type.Integer({ minimum: 0 }),
    sha256: Type.String(),
    derived_from: Type.Union([Type.String(), Type.Null()]),
  },
  strict,
);
const objectExample = {
  filename: 'scan.pdf',
  mime: 'application/pdf',
  bytes: 48211,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  derived_from: null,
};
const changes = Type.Object({ changed: Type.Array(Type.String()) }, strict);

const imageFacts = Type.Object(
  { object_id: Type.String(), filename: Type.String(), mime: Type.String() },
  strict,
);
const imageExample = {
  object_id: 'obj_01m7gtek0sx6hv4x5fqk2v9d3e',
  filename: 'harbour.jpg',
  mime: 'image/jpeg',
};
const collectionFacts = Type.Object(
  {
    name: Type.String(),
    kind: Type.Enum(['manual', 'smart']),
    parent_id: Type.Union([Type.String(), Type.Null()]),
  },
  strict,
);
const collectionExample: Static<typeof collectionFacts> = {
  name: 'Harbour',
  kind: 'manual',
  parent_id: null,
};
const memberFacts = Type.Object(
  { resource_type: Type.Enum(['image', 'object']), resource_id: Type.String() },
  strict,
);
const memberExample: Static<typeof memberFacts> = {
  resource_type: 'image',
  resource_id: 'img_01m7gtek0sx6hv4x5fqk2v9d3e',
};
const policyFacts = Type.Object(
  { name: Type.String(), mode: Type.Enum(['enforce', 'audit', 'disabled']) },
  strict,
);
const policyExample: Static<typeof policyFacts> = { name: 'No executables', mode: 'enforce' };
const denialFacts = Type.Object(
  {
    action: Type.String(),
    rule_type: Type.String(),
    resource_id: Type.Union([Type.String(), Type.Null()]),
  },
  strict,
);
const denialExample: Static<typeof denialFacts> = {
  action: 'download',
  rule_type: 'require_signed_url',
  resource_id: 'obj_01m7gtek0sx6hv4x5fqk2v9d3e',
};

const jobFacts = Type.Object(
  {
    source_object_id: Type.String(),
    operations: Type.Array(Type.Enum(operationNames)),
    retry_of: Type.Union([Type.String(), Type.Null()]),
  },
  strict,
);
const jobExample: Static<typeof jobFacts> = {
  source_object_id: 'obj_01m7gtek0sx6hv4x5fqk2v9d3e',
  operations: ['ocr'],
  retry_of: null,
};
const pageCounts = {
  pages_total: Type.Integer({ minimum: 0 }),
  pages_completed: Type.Integer({ minimum: 0 }),
  pages_failed: Type.Integer({ minimum: 0 }),
};
const failure = Type.Object(
  { code: Type.String(), message: Type.String(), retryable: Type.Boolean() },
  strict,
);
const jobEnd = Type.Object(
  {
    state: Type.Enum([...jobStates]),
    ...pageCounts,
    outputs: Type.Array(Type.Object({ object_id: Type.String(), kind: Type.String() }, strict)),
    error: Type.Union([failure, Type.Null()]),
  },
  strict,
);
const jobEndExample: Static<typeof jobEnd> = {
  state: 'succeeded',
  pages_total: 12,
  pages_completed: 12,
  pages_failed: 0,
  outputs: [{ object_id: 'obj_01m7gtek0sx6hv4x5fqk2v9d3e', kind: 'searchable_pdf' }],
  error: null,
};
const endpointFacts = Type.Object(
  { event_types: Type.Array(Type.String()), state: Type.String() },
  strict,
);
const endpointExample = { event_types: ['documents.job.*'], state: 'enabled' };
const replayFacts = Type.Object(
  { webhook_id: Type.String(), matched: Type.Integer({ minimum: 0 }) },
  strict,
);
const replayExample = { webhook_id: 'whk_01m7gtek0sx6hv4x5fqk2v9d3e' };
const keyFacts = Type.Object(
  { name: Type.String(), prefix: Type.String(), scopes: Type.Array(Type.String()) },
  strict,
);
const keyExample = { name: 'Importer', prefix: 'sk_4f7Qa1Zx', scopes: ['objects:write'] };
const mediaJob = Type.Object(
  {
    profile: Type.String(),
    progress: Type.Number({ minimum: 0, maximum: 100 }),
    error: Type.Optional(failure),
  },
  strict,
);

function domain<S extends TSchema>(resource: string, summary: string, data: S, example: Static<S>) {
  return { resource, category: 'domain', summary, data, example } as const;
}

function audit<S extends TSchema>(resource: string, summary: string, data: S, example: Static<S>) {
  return { resource, category: 'audit', summary, data, example } as const;
}

/**
 * Every type of event there is: what it is about, which feed it belongs to, and the schema its
 * `data` must satisfy to be recorded. A new type is one entry here.
 */
export const eventTypes = {
  'dam.object.created': domain('object', 'An object was stored.', objectFacts, objectExample),
  'dam.object.available': domain(
    'object',
    'An object can be read and worked on.',
    objectFacts,
    objectExample,
  ),
  'dam.object.updated': domain('object', 'Fields of an object changed.', changes, {
    changed: ['tags'],
  }),
  'dam.object.trashed': domain('object', 'An object went to the trash.', none, {}),
  'dam.object.restored': domain('object', 'An object came back from the trash.', none, {}),
  'dam.object.purged': domain(
    'object',
    'An object and its bytes are gone; what was derived from it stays.',
    Type.Object({ outputs: Type.Array(Type.String()) }, strict),
    { outputs: [] },
  ),

  'dam.object.rejected': domain(
    'object',
    'A policy refused an upload once a worker had looked at it.',
    Type.Object({ policy_id: Type.String(), rule_type: Type.String() }, strict),
    { policy_id: 'pol_01m7gtek0sx6hv4x5fqk2v9d3e', rule_type: 'max_pixels' },
  ),
  'dam.object.failed': domain(
    'object',
    'What a policy has to know of an upload could not be found out.',
    Type.Object({ error: failure }, strict),
    { error: { code: 'damaged', message: 'The file cannot be opened.', retryable: false } },
  ),

  'dam.image.created': domain('image', 'An image joined the library.', imageFacts, imageExample),
  'dam.image.updated': domain(
    'image',
    'Fields of an image changed, by somebody or by the worker that looked at it.',
    changes,
    { changed: ['title'] },
  ),
  'dam.image.tags_changed': domain(
    'image',
    'Tags of an image changed.',
    Type.Object({ added: Type.Array(Type.String()), removed: Type.Array(Type.String()) }, strict),
    { added: ['harbour'], removed: [] },
  ),
  'dam.image.trashed': domain('image', 'An image went to the trash.', none, {}),
  'dam.image.restored': domain('image', 'An image came back from the trash.', none, {}),
  'dam.image.purged': domain('image', 'An image and its renditions are gone.', none, {}),

  'dam.collection.created': domain(
    'collection',
    'A collection was made.',
    collectionFacts,
    collectionExample,
  ),
  'dam.collection.updated': domain('collection', 'Fields of a collection changed.', changes, {
    changed: ['name'],
  }),
  'dam.collection.trashed': domain(
    'collection',
    'A collection went to the trash; what it held is untouched.',
    none,
    {},
  ),
  'dam.collection.restored': domain(
    'collection',
    'A collection came back from the trash.',
    none,
    {},
  ),
  'dam.collection.purged': domain('collection', 'A collection is gone.', none, {}),
  'dam.collection_member.added': domain(
    'collection',
    'A collection holds one more resource.',
    memberFacts,
    memberExample,
  ),
  'dam.collection_member.removed': domain(
    'collection',
    'A collection no longer holds a resource.',
    Type.Object(
      {
        ...memberFacts.properties,
        reason: Type.Enum(['removed', 'purged']),
      },
      strict,
    ),
    { ...memberExample, reason: 'removed' },
  ),
  'dam.collection_member.reordered': domain(
    'collection',
    'A member of a collection has another place.',
    memberFacts,
    memberExample,
  ),

  'dam.policy.created': audit('policy', 'A policy was made.', policyFacts, policyExample),
  'dam.policy.updated': audit('policy', 'Fields of a policy changed.', changes, {
    changed: ['mode'],
  }),
  'dam.policy.deleted': audit('policy', 'A policy was removed.', policyFacts, policyExample),
  'dam.policy.denied': audit(
    'policy',
    'An enforced policy refused something; at most once per key, rule, resource and minute.',
    denialFacts,
    denialExample,
  ),
  'dam.policy.denial_observed': audit(
    'policy',
    'A policy in audit mode would have refused something; at most once per key, rule and minute.',
    denialFacts,
    denialExample,
  ),

  'documents.job.created': domain('job', 'A document job was accepted.', jobFacts, jobExample),
  'documents.job.started': domain(
    'job',
    'The first worker opened the source.',
    jobFacts,
    jobExample,
  ),
  'documents.job.progressed': domain(
    'job',
    'The whole percent of a job changed: at most a hundred a job.',
    Type.Object({ percent: Type.Integer({ minimum: 0, maximum: 100 }), ...pageCounts }, strict),
    { percent: 42, pages_total: 12, pages_completed: 5, pages_failed: 0 },
  ),
  'documents.job.operation_finished': domain(
    'job',
    'One operation of a job ended.',
    Type.Object(
      {
        index: Type.Integer({ minimum: 0 }),
        op: Type.Enum(operationNames),
        state: Type.String(),
        pages_total: Type.Integer({ minimum: 0 }),
        pages_succeeded: Type.Integer({ minimum: 0 }),
        pages_failed: Type.Integer({ minimum: 0 }),
        pages_skipped: Type.Integer({ minimum: 0 }),
      },
      strict,
    ),
    {
      index: 0,
      op: 'ocr',
      state: 'succeeded',
      pages_total: 12,
      pages_succeeded: 11,
      pages_failed: 0,
      pages_skipped: 1,
    },
  ),
  'documents.job.cancel_requested': domain('job', 'Somebody asked a job to stop.', none, {}),
  'documents.job.cancelled': domain('job', 'A job stopped as asked.', jobEnd, {
    ...jobEndExample,
    state: 'cancelled',
    outputs: [],
  }),
  'documents.job.succeeded': domain('job', 'Every page of a job is done.', jobEnd, jobEndExample),
  'documents.job.partially_succeeded': domain(
    'job',
    'A job ended; some pages failed, the rest is done.',
    jobEnd,
    { ...jobEndExample, state: 'partially_succeeded', pages_failed: 1 },
  ),
  'documents.job.failed': domain('job', 'A job ended without a result.', jobEnd, {
    ...jobEndExample,
    state: 'failed',
    outputs: [],
    error: { code: 'damaged', message: 'The file cannot be opened.', retryable: false },
  }),
  'documents.job.retried': domain(
    'job',
    'A new job was made to try this one again.',
    Type.Object({ new_job_id: Type.String(), scope: Type.Enum(['failed_pages', 'all']) }, strict),
    { new_job_id: 'job_01m7gtek0sx6hv4x5fqk2v9d3e', scope: 'failed_pages' },
  ),
  'documents.job_page.failed': domain(
    'job',
    'A page could not be done; the job goes on without it.',
    Type.Object(
      {
        page: Type.Integer({ minimum: 1 }),
        operation_index: Type.Integer({ minimum: 0 }),
        op: Type.Enum(operationNames),
        error: failure,
      },
      strict,
    ),
    {
      page: 7,
      operation_index: 0,
      op: 'ocr',
      error: { code: 'deadline_exceeded', message: 'The page took too long.', retryable: true },
    },
  ),

  'webhooks.endpoint.created': audit(
    'webhook',
    'An endpoint was added.',
    endpointFacts,
    endpointExample,
  ),
  'webhooks.endpoint.updated': audit('webhook', 'Fields of an endpoint changed.', changes, {
    changed: ['event_types'],
  }),
  'webhooks.endpoint.deleted': audit('webhook', 'An endpoint was removed.', none, {}),
  'webhooks.endpoint.paused': audit(
    'webhook',
    'An endpoint keeps what it is owed for later.',
    none,
    {},
  ),
  'webhooks.endpoint.enabled': audit('webhook', 'An endpoint gets its events again.', none, {}),
  'webhooks.endpoint.disabled': audit(
    'webhook',
    'An endpoint gets nothing more until it is enabled.',
    Type.Object({ reason: Type.String() }, strict),
    { reason: 'gone' },
  ),
  'webhooks.endpoint.secret_rotated': audit(
    'webhook',
    'An endpoint signs with a new secret; the old ones sign beside it for a while.',
    Type.Object({ overlap_seconds: Type.Integer({ minimum: 0 }) }, strict),
    { overlap_seconds: 86_400 },
  ),
  'webhooks.endpoint.tested': audit(
    'webhook',
    'Somebody had an example sent to an endpoint; it is no delivery.',
    Type.Object(
      {
        outcome: Type.Enum(['succeeded', 'failed']),
        status: Type.Union([Type.Integer(), Type.Null()]),
      },
      strict,
    ),
    { outcome: 'succeeded', status: 204 },
  ),
  'webhooks.replay.started': domain('replay', 'Somebody had events sent again.', replayFacts, {
    ...replayExample,
    matched: 120,
  }),
  'webhooks.replay.completed': domain(
    'replay',
    'Everything that a replay sent again has ended, or it was cancelled.',
    Type.Object(
      {
        ...replayFacts.properties,
        state: Type.Enum(['completed', 'cancelled']),
        succeeded: Type.Integer({ minimum: 0 }),
      },
      strict,
    ),
    { ...replayExample, matched: 120, state: 'completed', succeeded: 119 },
  ),
  'webhooks.delivery.exhausted': domain(
    'delivery',
    'The last scheduled attempt at a delivery failed.',
    Type.Object(
      { event_id: Type.String(), webhook_id: Type.String(), attempts: Type.Integer() },
      strict,
    ),
    {
      event_id: 'evt_01m7gtek0sx6hv4x5fqk2v9d3e',
      webhook_id: 'whk_01m7gtek0sx6hv4x5fqk2v9d3e',
      attempts: 10,
    },
  ),

  'access.api_key.created': audit('api_key', 'A key was issued.', keyFacts, keyExample),
  'access.api_key.rolled': audit(
    'api_key',
    'A key was replaced by a new one.',
    Type.Object(
      { new_key_id: Type.String(), overlap_seconds: Type.Integer({ minimum: 0 }) },
      strict,
    ),
    { new_key_id: 'key_01m7gtek0sx6hv4x5fqk2v9d3e', overlap_seconds: 3600 },
  ),
  'access.api_key.updated': audit('api_key', 'Fields of a key changed.', changes, {
    changed: ['name'],
  }),
  'access.api_key.revoked': audit('api_key', 'A key stopped working.', none, {}),
  'access.request.denied': audit(
    'api_key',
    'A key was refused something; at most once per key, code and minute.',
    Type.Object({ code: Type.String(), operation: Type.String() }, strict),
    { code: 'insufficient_scope', operation: 'createJob' },
  ),

  'media.vod_job.succeeded': domain(
    'job',
    'A video job of the neighbouring service is done.',
    mediaJob,
    { profile: 'hls_1080p', progress: 100 },
  ),
  'media.vod_job.progressed': domain(
    'job',
    'A video job of the neighbouring service went on.',
    mediaJob,
    { profile: 'hls_1080p', progress: 40 },
  ),
  'media.vod_job.failed': domain(
    'job',
    'A video job of the neighbouring service failed.',
    mediaJob,
    {
      profile: 'hls_1080p',
      progress: 40,
      error: { code: 'source_unreadable', message: 'The video has no picture.', retryable: false },
    },
  ),
} as const satisfies Record<string, EventType>;

export type EventTypeName = keyof typeof eventTypes;
export const eventTypeNames = Object.keys(eventTypes) as EventTypeName[];
export type EventData<T extends EventTypeName> = Static<(typeof eventTypes)[T]['data']>;

/** An event to be recorded: its type, what it is about, and data of that type's shape. */
export type NewEvent = {
  [T in EventTypeName]: { type: T; resourceId: string; data: EventData<T> };
}[EventTypeName];
