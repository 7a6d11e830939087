import { matchesType } from '@scriptorium/contracts/events/matches-type';
import { typesIn } from '@scriptorium/contracts/events/patterns';
import { newId } from '@scriptorium/contracts/ids';
import { limits } from '@scriptorium/contracts/limits';
import type { Origin } from '@scriptorium/contracts/origin';
import { pluralise } from '@scriptorium/contracts/pluralise';
import { Problem, validationFailed } from '@scriptorium/contracts/problems';
import type { ConsumerCreate, ConsumerRecord } from '@scriptorium/contracts/wire/consumers';
import { type FindOptionsWhere, In, LessThan } from 'typeorm';
import { sendDelete, sendInsert } from '../../../db/statements/rows.ts';
import { prepared, type Tx } from '../../../db/transaction.ts';
import { Consumer } from '../../../entities/outbox/consumer.ts';
import { record } from '../../record.ts';
import { type FeedBounds, readBounds } from '../bounds.ts';
import type { EventCategory } from '../filters.ts';

const categories: readonly EventCategory[] = ['domain', 'audit'];

/**
 * Creates a consumer. Its filters cannot be changed, because its position depends on them.
 * @throws Problem 422 for types that are not in its category, 409 when the name is taken or the
 *   project has the maximum
 */
export async function createConsumer(
  tx: Tx,
  origin: Origin,
  input: ConsumerCreate,
): Promise<Consumer> {
  const { projectId } = origin;
  const { name, category = 'domain', event_types: eventTypes = null, start = 'earliest' } = input;
  rejectUnknownTypes(category, eventTypes ?? []);
  // Locks, so that two requests cannot both take the name or exceed the maximum.
  await prepared(tx, `SELECT pg_advisory_xact_lock(hashtextextended('consumers ' || $1, 0))`, [
    projectId,
  ]);
  const sameName = await listConsumers(tx, projectId, { name, categories, limit: 1 });
  if (sameName.length > 0) {
    throw new Problem('already_exists', `A consumer named '${name}' already exists.`, {
      errors: [{ pointer: '/name', code: 'already_exists', detail: 'It must be unique.' }],
    });
  }
  if ((await countConsumers(tx, projectId, { categories })) >= limits.consumers_per_project) {
    throw new Problem(
      'state_conflict',
      `The project already has ${pluralise(limits.consumers_per_project, 'consumer')}, the maximum. Delete one first.`,
      { extra: { limit: limits.consumers_per_project } },
    );
  }
  const bounds = await readBounds(tx, projectId, category);
  const id = newId('consumer');
  sendInsert(tx, Consumer, {
    projectId,
    id,
    name,
    category,
    eventTypes,
    resourceType: input.resource_type ?? null,
    resourceId: input.resource_id ?? null,
    position: edgePosition(start, bounds),
  });
  const data = { name, category };
  await record(tx, origin, { type: 'events.consumer.created', resourceId: id, data });
  return tx.findOneByOrFail(Consumer, { projectId, id });
}

/** A consumer of the project, or null. */
export function findConsumer(tx: Tx, projectId: string, id: string): Promise<Consumer | null> {
  return tx.findOneBy(Consumer, { projectId, id });
}

/** Like `findConsumer`; other transactions that move it wait until this one ends. */
export function lockConsumer(tx: Tx, projectId: string, id: string): Promise<Consumer | null> {
  return tx.findOne(Consumer, { where: { projectId, id }, lock: { mode: 'pessimistic_write' } });
}

interface ConsumerFilters {
  /** In one of these categories. */
  categories: readonly EventCategory[];
  name?: string | undefined;
}

/** The project's consumers, newest first, optionally only those before an identifier. */
export function listConsumers(
  tx: Tx,
  projectId: string,
  { before, limit, ...filters }: ConsumerFilters & { before?: string | undefined; limit: number },
): Promise<Consumer[]> {
  return tx.find(Consumer, {
    where: {
      ...consumerConditions(projectId, filters),
      ...(before === undefined ? {} : { id: LessThan(before) }),
    },
    order: { id: 'DESC' },
    take: limit,
  });
}

/** Counts the consumers of the project. */
export function countConsumers(
  tx: Tx,
  projectId: string,
  filters: ConsumerFilters,
): Promise<number> {
  return tx.countBy(Consumer, consumerConditions(projectId, filters));
}

function consumerConditions(
  projectId: string,
  { categories, name }: ConsumerFilters,
): FindOptionsWhere<Consumer> {
  return { projectId, category: In([...categories]), ...(name === undefined ? {} : { name }) };
}

/** Removes a consumer, which is locked. Its events stay. */
export async function deleteConsumer(tx: Tx, origin: Origin, { id }: Consumer): Promise<void> {
  sendDelete(tx, Consumer, { projectId: origin.projectId, id });
  await record(tx, origin, { type: 'events.consumer.deleted', resourceId: id, data: {} });
}

/** A consumer as the API shows it, with the current bounds of its feed. */
export function presentConsumer(
  consumer: Consumer,
  bounds: FeedBounds,
  lag: number,
): ConsumerRecord {
  return {
    id: consumer.id,
    project_id: consumer.projectId,
    name: consumer.name,
    category: consumer.category,
    event_types: consumer.eventTypes,
    resource_type: consumer.resourceType,
    resource_id: consumer.resourceId,
    position: consumer.position,
    latest_sequence: bounds.latest,
    lag,
    expired: isExpired(consumer, bounds),
    last_read_at: consumer.lastReadAt?.toISOString() ?? null,
    last_committed_at: consumer.lastCommittedAt?.toISOString() ?? null,
    created_at: consumer.createdAt.toISOString(),
    version: consumer.version,
  };
}

/** Whether some of the events after its position are no longer retained. */
export function isExpired(consumer: Consumer, bounds: FeedBounds): boolean {
  return consumer.position < bounds.earliest - 1;
}

/** The position at the start or at the end of a feed. */
export function edgePosition(to: 'earliest' | 'latest', bounds: FeedBounds): number {
  return to === 'earliest' ? bounds.earliest - 1 : bounds.latest;
}

function rejectUnknownTypes(category: EventCategory, patterns: readonly string[]): void {
  const known = typesIn(category);
  const faults = patterns.flatMap((pattern, at) =>
    known.some((type) => matchesType(pattern, type))
      ? []
      : [
          {
            pointer: `/event_types/${at}`,
            code: 'unknown_event_type',
            detail: `No event type in category '${category}' matches '${pattern}'.`,
            allowed: known,
          },
        ],
  );
  if (faults.length > 0) throw validationFailed(faults);
}
