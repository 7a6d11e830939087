import { newId } from '../../../contracts/ids.ts';
import { limits } from '../../../contracts/limits.ts';
import { matchesType } from '../../../contracts/matches-type.ts';
import { typesIn } from '../../../contracts/patterns.ts';
import { invalid, Problem } from '../../../contracts/problems.ts';
import type { ConsumerCreate, ConsumerRecord } from '../../../contracts/wire/consumers.ts';
import { Conditions } from '../../../db/conditions.ts';
import { prepared, query, type Tx } from '../../../db/transaction.ts';
import type { Consumer } from '../../../entities/consumer.ts';
import { type EventCategory, type FeedBounds, readBounds } from '../feed.ts';

export const columns = `project_id AS "projectId", id, name, category, event_types AS "eventTypes",
  resource_type AS "resourceType", resource_id AS "resourceId", position,
  last_read_at AS "lastReadAt", last_committed_at AS "lastCommittedAt", created_at AS "createdAt", version`;

const categories: readonly EventCategory[] = ['domain', 'audit'];

/**
 * Makes a consumer. What it wants is fixed from here on: a position means something for its filters
 * only.
 * @throws Problem 422 for types that are not in its category, 409 when the name is taken or there
 *   are as many as there may be
 */
export async function createConsumer(
  tx: Tx,
  projectId: string,
  given: ConsumerCreate,
): Promise<Consumer> {
  const { name, category = 'domain', event_types: eventTypes = null, start = 'earliest' } = given;
  refuseUnknownTypes(category, eventTypes ?? []);
  // One at a time per project, so that two requests do not both take the name or the last place.
  await prepared(tx, `SELECT pg_advisory_xact_lock(hashtextextended('consumers ' || $1, 0))`, [
    projectId,
  ]);
  const same = await listConsumers(tx, projectId, { name, categories, before: null, limit: 1 });
  if (same.length > 0) {
    throw new Problem('already_exists', `There is a consumer '${name}' already.`, {
      errors: [{ pointer: '/name', code: 'already_exists', detail: 'It must be unique.' }],
    });
  }
  if ((await countConsumers(tx, projectId, { categories })) >= limits.consumers_per_project) {
    throw new Problem(
      'state_conflict',
      `The project has ${limits.consumers_per_project} consumers, which is as many as there may be; delete one first.`,
      { extra: { limit: limits.consumers_per_project } },
    );
  }
  const bounds = await readBounds(tx, projectId, category);
  const [row] = await prepared<Consumer>(
    tx,
    `INSERT INTO consumer
       (project_id, id, name, category, event_types, resource_type, resource_id, position)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING ${columns}`,
    [
      projectId,
      newId('consumer'),
      name,
      category,
      eventTypes,
      given.resource_type ?? null,
      given.resource_id ?? null,
      edgeOf(start, bounds),
    ],
  );
  return row!;
}

/** A consumer of the project; null when there is none. */
export async function findConsumer(
  tx: Tx,
  projectId: string,
  id: string,
): Promise<Consumer | null> {
  const [row] = await prepared<Consumer>(
    tx,
    `SELECT ${columns} FROM consumer WHERE project_id = $1 AND id = $2`,
    [projectId, id],
  );
  return row ?? null;
}

/** Like `findConsumer`, and nobody else moves it until the transaction ends. */
export async function lockConsumer(
  tx: Tx,
  projectId: string,
  id: string,
): Promise<Consumer | null> {
  const [row] = await prepared<Consumer>(
    tx,
    `SELECT ${columns} FROM consumer WHERE project_id = $1 AND id = $2 FOR UPDATE`,
    [projectId, id],
  );
  return row ?? null;
}

interface ConsumerFilters {
  /** Of one of these. */
  categories: readonly EventCategory[];
  name?: string | undefined;
}

/** The project's consumers, the newest first, from before an identifier on. */
export async function listConsumers(
  tx: Tx,
  projectId: string,
  { before, limit, ...filters }: ConsumerFilters & { before: string | null; limit: number },
): Promise<Consumer[]> {
  const where = conditions(projectId, filters);
  if (before !== null) where.add('id < ?', before);
  return query<Consumer>(
    tx,
    `SELECT ${columns} FROM consumer WHERE ${where.sql()} ORDER BY id DESC LIMIT ${limit}`,
    where.values,
  );
}

/** How many consumers the project has. */
export async function countConsumers(
  tx: Tx,
  projectId: string,
  filters: ConsumerFilters,
): Promise<number> {
  const where = conditions(projectId, filters);
  const [row] = await query<{ n: number }>(
    tx,
    `SELECT count(*) AS n FROM consumer WHERE ${where.sql()}`,
    where.values,
  );
  return row!.n;
}

/** Removes a consumer, which is locked. Its events stay. */
export async function deleteConsumer(tx: Tx, consumer: Consumer): Promise<void> {
  await prepared(tx, 'DELETE FROM consumer WHERE project_id = $1 AND id = $2', [
    consumer.projectId,
    consumer.id,
  ]);
}

/** A consumer as the API shows it, beside the feed of its category as it is now. */
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

/** Whether part of what follows its position is no longer kept. */
export function isExpired(consumer: Consumer, bounds: FeedBounds): boolean {
  return consumer.position < bounds.earliest - 1;
}

/** The position from which a feed is read from its beginning, or from its end on. */
export function edgeOf(to: 'earliest' | 'latest', bounds: FeedBounds): number {
  return to === 'earliest' ? bounds.earliest - 1 : bounds.latest;
}

function conditions(projectId: string, filters: ConsumerFilters): Conditions {
  const where = new Conditions();
  where.add('project_id = ? AND category = ANY(?)', projectId, filters.categories);
  if (filters.name !== undefined) where.add('name = ?', filters.name);
  return where;
}

function refuseUnknownTypes(category: EventCategory, patterns: readonly string[]): void {
  const known = typesIn(category);
  const faults = patterns.flatMap((pattern, at) =>
    known.some((type) => matchesType(pattern, type))
      ? []
      : [
          {
            pointer: `/event_types/${at}`,
            code: 'unknown_event_type',
            detail: `No type of the category ${category} matches '${pattern}'.`,
            allowed: known,
          },
        ],
  );
  if (faults.length > 0) throw invalid(faults);
}
