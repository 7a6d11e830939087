import { type Static, type TSchema, Type } from 'typebox';
import { operationNames, operations } from './operations.ts';
import type { QueueName } from './queues.ts';
import { variantNames } from './variants.ts';

const operationStep = {
  job_id: Type.String(),
  operation_index: Type.Integer({ minimum: 0 }),
  op: Type.Enum(operationNames),
};

/**
 * Every kind of task: the shape of its payload (identifiers and numbers only), the queue its worker
 * reads, and how long one run may take. `src/workers` must implement each one to compile.
 *
 * A deadline is for work that hangs and nothing else: a dead worker is noticed by its lease, and each
 * call to an engine has a deadline of its own.
 */
export const taskKinds = {
  /** Opens the source of a job's operation, counts pages, schedules their ranges. */
  'operation.open': {
    payload: Type.Object(operationStep),
    queue: 'of_operation',
    deadlineSeconds: 120,
  },
  /** Works on a range of pages, both ends included. */
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
   * Makes an operation's outputs from its pages and starts the next operation. To redact 2,000
   * scanned pages, and to read each again to prove it, takes hours on one core.
   */
  'operation.assemble': {
    payload: Type.Object(operationStep),
    queue: 'of_operation',
    deadlineSeconds: 6 * 3_600,
  },
  /** Looks at the picture of an image and makes its renditions. */
  'image.read': {
    payload: Type.Object({ image_id: Type.String() }),
    queue: 'imaging',
    deadlineSeconds: 90,
  },
  /** Makes the bytes of an object that lack some of its metadata. */
  'object.strip': {
    payload: Type.Object({ object_id: Type.String(), variant: Type.Enum([...variantNames]) }),
    queue: 'imaging',
    deadlineSeconds: 90,
  },
  /** Ends an object that has been in the trash for its time. */
  'object.purge': {
    payload: Type.Object({ object_id: Type.String() }),
    queue: 'maintenance',
    deadlineSeconds: 60,
  },
  /** Goes on emptying the trash, from an object on; the event is that of the request. */
  'trash.empty': {
    payload: Type.Object({ event_id: Type.String(), after: Type.String() }),
    queue: 'maintenance',
    deadlineSeconds: 60,
  },
  /** Finds out of an upload what a policy has to know; the event is that of its creation. */
  'object.inspect': {
    payload: Type.Object({ object_id: Type.String(), event_id: Type.String() }),
    queue: 'imaging',
    deadlineSeconds: 90,
  },
  /** Ends an upload that did not arrive in time, and later its record. */
  'upload.expire': {
    payload: Type.Object({ upload_id: Type.String() }),
    queue: 'maintenance',
    deadlineSeconds: 60,
  },
  /** Ends a collection that has been in the trash for its time, with what went there with it. */
  'collection.purge': {
    payload: Type.Object({ collection_id: Type.String() }),
    queue: 'maintenance',
    deadlineSeconds: 60,
  },
  /** Queues the next batch of a replay, or finds that all of it has ended. */
  'webhook.replay': {
    payload: Type.Object({ replay_id: Type.String() }),
    queue: 'maintenance',
    deadlineSeconds: 60,
  },
  /** Forgets what a project keeps for a limited time: stored answers, page results. */
  'project.tidy': {
    payload: Type.Object({}),
    queue: 'maintenance',
    deadlineSeconds: 60,
  },
  /** Removes bytes that nobody points at any more, from a hash on. */
  'project.sweep': {
    payload: Type.Object({ after: Type.Optional(Type.String()) }),
    queue: 'maintenance',
    deadlineSeconds: 600,
  },
} as const satisfies Record<string, TaskKindDefinition>;

interface TaskKindDefinition {
  payload: TSchema;
  /** `of_operation`: the queue that the operation in the payload names. */
  queue: QueueName | 'of_operation';
  deadlineSeconds: number;
}

export type TaskKind = keyof typeof taskKinds;
export type TaskPayload<K extends TaskKind> = Static<(typeof taskKinds)[K]['payload']>;

/** A task to be done, of any kind, with the payload of that kind. */
export type NewTask = {
  [K in TaskKind]: { kind: K; payload: TaskPayload<K>; dueInSeconds?: number };
}[TaskKind];

/** The queue whose workers do a task. */
export function queueOf(task: NewTask): QueueName {
  return 'op' in task.payload
    ? operations[task.payload.op].queue
    : (taskKinds[task.kind].queue as QueueName);
}
