import { type Static, type TSchema, Type } from 'typebox';
import { operationNames, operations } from '../operations.ts';
import { variantNames } from '../variants.ts';
import { pageImageMimes } from '../wire/library/page-images.ts';
import type { QueueName } from './queues.ts';

const operationStep = {
  job_id: Type.String(),
  operation_index: Type.Integer({ minimum: 0 }),
  op: Type.Enum(operationNames),
};

/**
 * Every kind of task: its payload (identifiers and numbers only), its queue, and the deadline of a
 * run. `src/workers` compiles only if it implements each kind. The deadline only stops work that
 * hangs. A dead worker is detected by its lease, and each engine call has a separate deadline.
 */
export const taskKinds = {
  /** Opens the source of an operation, counts its pages and schedules their ranges. */
  'operation.open': {
    payload: Type.Object(operationStep),
    queue: 'of_operation',
    deadlineSeconds: 120,
  },
  /** Processes a range of pages, both ends included. */
  'operation.pages': {
    payload: Type.Object({
      ...operationStep,
      from: Type.Integer({ minimum: 1 }),
      to: Type.Integer({ minimum: 1 }),
    }),
    queue: 'of_operation',
    deadlineSeconds: 900,
  },
  /**
   * Assembles an operation's outputs from its pages and starts the next operation. Redacting and
   * verifying 2,000 scanned pages takes hours on one core.
   */
  'operation.assemble': {
    payload: Type.Object(operationStep),
    queue: 'of_operation',
    deadlineSeconds: 6 * 3_600,
  },
  /** Computes the boxes to paint for findings of a review that changed. */
  'review.lay_out': {
    payload: Type.Object({ review_id: Type.String() }),
    queue: 'redact',
    deadlineSeconds: 900,
  },
  /** Ends a review that was not submitted in time, or whose source was purged. */
  'review.expire': {
    payload: Type.Object({ review_id: Type.String() }),
    queue: 'maintenance',
    deadlineSeconds: 60,
  },
  /** Reads the properties of an image and makes its renditions. */
  'image.read': {
    payload: Type.Object({ image_id: Type.String() }),
    queue: 'imaging',
    deadlineSeconds: 90,
  },
  /** Makes a copy of an object's bytes without some of its metadata. */
  'object.strip': {
    payload: Type.Object({ object_id: Type.String(), variant: Type.Enum([...variantNames]) }),
    queue: 'imaging',
    deadlineSeconds: 90,
  },
  /** Starts documents of a pack and collects ended ones. Repeats until all have ended. */
  'pack.advance': {
    payload: Type.Object({ pack_id: Type.String() }),
    queue: 'maintenance',
    deadlineSeconds: 120,
  },
  /** Writes the archive of a pack. Drawing the pages of thousands of documents takes hours. */
  'pack.assemble': {
    payload: Type.Object({ pack_id: Type.String() }),
    queue: 'normalize',
    deadlineSeconds: 6 * 3_600,
  },
  /** Draws a page of an object, with marked areas. */
  'object.draw': {
    payload: Type.Object({
      object_id: Type.String(),
      page: Type.Integer({ minimum: 1 }),
      width: Type.Integer({ minimum: 1 }),
      mime: Type.Enum([...pageImageMimes]),
      boxes: Type.Array(Type.Array(Type.Number(), { minItems: 4, maxItems: 4 })),
    }),
    queue: 'imaging',
    deadlineSeconds: 90,
  },
  /** Reads the words of a page of an object with their positions. */
  'object.words': {
    payload: Type.Object({ object_id: Type.String(), page: Type.Integer({ minimum: 1 }) }),
    queue: 'imaging',
    deadlineSeconds: 90,
  },
  /** Purges an object whose time in the trash has expired. */
  'object.purge': {
    payload: Type.Object({ object_id: Type.String() }),
    queue: 'maintenance',
    deadlineSeconds: 60,
  },
  /** Continues to empty the trash after an object. `event_id` is the event of the request. */
  'trash.empty': {
    payload: Type.Object({ event_id: Type.String(), after: Type.String() }),
    queue: 'maintenance',
    deadlineSeconds: 60,
  },
  /** Searches a project for the values of an erasure. */
  'erasure.search': {
    payload: Type.Object({ erasure_id: Type.String() }),
    queue: 'maintenance',
    deadlineSeconds: 3_600,
  },
  /** Erases the values of a confirmed erasure. */
  'erasure.run': {
    payload: Type.Object({ erasure_id: Type.String() }),
    queue: 'maintenance',
    deadlineSeconds: 3_600,
  },
  /** Deletes objects that retention rules have expired, after one of them. */
  'retention.apply': {
    payload: Type.Object({ after: Type.Optional(Type.String()) }),
    queue: 'maintenance',
    deadlineSeconds: 60,
  },
  /**
   * Determines the facts about an upload that a policy needs. `event_id` is the event of its
   * creation.
   */
  'object.inspect': {
    payload: Type.Object({ object_id: Type.String(), event_id: Type.String() }),
    queue: 'imaging',
    deadlineSeconds: 90,
  },
  /** Draws the preview of a new document, before anyone requests it. */
  'object.preview': {
    payload: Type.Object({ object_id: Type.String() }),
    queue: 'imaging',
    deadlineSeconds: 90,
  },
  /** Counts the pages of an object and adds the text in its file to the search index. */
  'object.read': {
    payload: Type.Object({ object_id: Type.String() }),
    queue: 'imaging',
    deadlineSeconds: 90,
  },
  /**
   * Computes the vectors of passages without one: of an object, or of all objects from one on.
   * `failures` is how often the endpoint has failed in a row.
   */
  'passages.embed': {
    payload: Type.Object({
      object_id: Type.Optional(Type.String()),
      after: Type.Optional(Type.String()),
      failures: Type.Optional(Type.Integer({ minimum: 0 })),
    }),
    queue: 'maintenance',
    deadlineSeconds: 600,
  },
  /** Expires an upload that was not completed in time, and later deletes its record. */
  'upload.expire': {
    payload: Type.Object({ upload_id: Type.String() }),
    queue: 'maintenance',
    deadlineSeconds: 60,
  },
  /** Purges a collection whose time in the trash has expired, with everything trashed with it. */
  'collection.purge': {
    payload: Type.Object({ collection_id: Type.String() }),
    queue: 'maintenance',
    deadlineSeconds: 60,
  },
  /**
   * Queues the next batch of a replay, or completes the replay. `paused_seconds` is the pause
   * before this run.
   */
  'webhook.replay': {
    payload: Type.Object({
      replay_id: Type.String(),
      paused_seconds: Type.Optional(Type.Number({ minimum: 0 })),
    }),
    queue: 'maintenance',
    deadlineSeconds: 60,
  },
  /**
   * Ends the next batch of a disabled or deleted webhook's deliveries; for a deleted one, only
   * failed deliveries after a given one.
   */
  'webhook.end': {
    payload: Type.Object({ endpoint_id: Type.String(), after: Type.Optional(Type.String()) }),
    queue: 'maintenance',
    deadlineSeconds: 60,
  },
  /** Deletes data that a project keeps for a limited time: stored responses, page results. */
  'project.tidy': {
    payload: Type.Object({}),
    queue: 'maintenance',
    deadlineSeconds: 60,
  },
  /**
   * Deletes a project in batches, with its rows, bytes and hints. `recheck`: removes what requests
   * that were in progress left behind.
   */
  'project.delete': {
    payload: Type.Object({ recheck: Type.Boolean() }),
    queue: 'maintenance',
    deadlineSeconds: 600,
  },
  /** Deletes bytes that are no longer referenced, starting after a hash. */
  'project.sweep': {
    payload: Type.Object({ after: Type.Optional(Type.String()) }),
    queue: 'maintenance',
    deadlineSeconds: 600,
  },
} as const satisfies Record<string, TaskKindDefinition>;

interface TaskKindDefinition {
  payload: TSchema;
  /** `of_operation`: the queue of the operation in the payload. */
  queue: QueueName | 'of_operation';
  deadlineSeconds: number;
}

export type TaskKind = keyof typeof taskKinds;
export type TaskPayload<K extends TaskKind> = Static<(typeof taskKinds)[K]['payload']>;

/** A task of any kind, with its payload. */
export type NewTask = {
  [K in TaskKind]: { kind: K; payload: TaskPayload<K>; dueInSeconds?: number };
}[TaskKind];

/** The queue of a task. */
export function queueOf(task: NewTask): QueueName {
  return 'op' in task.payload
    ? operations[task.payload.op].queue
    : (taskKinds[task.kind].queue as QueueName);
}
