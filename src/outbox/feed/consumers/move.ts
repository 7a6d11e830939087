import { invalid, Problem, referenceNotFound } from '../../../contracts/problems.ts';
import type { ConsumerSeek } from '../../../contracts/wire/consumers.ts';
import { prepared, type Tx } from '../../../db/transaction.ts';
import type { Consumer } from '../../../entities/consumer.ts';
import { acknowledgeRange } from '../acknowledge.ts';
import { cursorExpired, type FeedBounds, findEvent, readBounds, refuseExpired } from '../feed.ts';
import { filtersOf } from './read.ts';
import { columns, edgeOf } from './store.ts';

/**
 * Moves a consumer, which is locked, forwards: everything up to a sequence is done with. With `ack`
 * what it passes by this and wanted is published.
 * @returns it as it is now, and how many events are published by this
 * @throws Problem 409 for a sequence before its position, 422 for one that was not given yet
 */
export async function commit(
  tx: Tx,
  consumer: Consumer,
  { sequence, ack }: { sequence: number; ack: boolean },
): Promise<{ consumer: Consumer; acknowledged: number }> {
  const { projectId, position } = consumer;
  refuseFuture(sequence, await readBounds(tx, projectId, consumer.category));
  if (sequence < position) {
    throw new Problem(
      'state_conflict',
      `The consumer is at ${position} already, and a commit does not go back. To read again what follows ${sequence}, seek to it.`,
      { extra: { position } },
    );
  }
  const range = { after: position, until: sequence };
  const acknowledged = ack ? await acknowledgeRange(tx, projectId, filtersOf(consumer), range) : 0;
  const [moved] = await prepared<Consumer>(
    tx,
    `UPDATE consumer SET position = $3, last_committed_at = now(),
       version = version + CASE WHEN position = $3 THEN 0 ELSE 1 END
     WHERE project_id = $1 AND id = $2 RETURNING ${columns}`,
    [projectId, consumer.id, sequence],
  );
  return { consumer: moved!, acknowledged };
}

/**
 * Moves a consumer, which is locked, to where it is wanted, backwards or forwards.
 * @throws Problem 422 for what is not there, 410 for what is no longer kept
 */
export async function seek(tx: Tx, consumer: Consumer, where: ConsumerSeek): Promise<Consumer> {
  const position = await locate(tx, consumer, where);
  if (position === consumer.position) return consumer;
  const [moved] = await prepared<Consumer>(
    tx,
    `UPDATE consumer SET position = $3, version = version + 1
     WHERE project_id = $1 AND id = $2 RETURNING ${columns}`,
    [consumer.projectId, consumer.id, position],
  );
  return moved!;
}

async function locate(tx: Tx, consumer: Consumer, where: ConsumerSeek): Promise<number> {
  const { projectId, category } = consumer;
  const { sequence = 0, event_id: eventId, to } = where;
  if (Object.keys(where).length !== 1) {
    const detail = 'Send exactly one of sequence, event_id and to.';
    throw invalid([{ pointer: '', code: 'exactly_one', detail }]);
  }
  const bounds = await readBounds(tx, projectId, category);
  if (to !== undefined) return edgeOf(to, bounds);
  if (eventId !== undefined) {
    const event = await findEvent(tx, projectId, eventId);
    if (event?.category === category) return event.sequence;
    await refuseExpired(tx, projectId, category, eventId);
    throw referenceNotFound('/event_id', eventId);
  }
  refuseFuture(sequence, bounds);
  const earliest = edgeOf('earliest', bounds);
  if (sequence < earliest) {
    throw cursorExpired(bounds.earliest, `the earliest position to seek to is ${earliest}`);
  }
  return sequence;
}

function refuseFuture(sequence: number, bounds: FeedBounds): void {
  if (sequence <= bounds.latest) return;
  const detail = `The newest event has the sequence ${bounds.latest}; what is not there yet cannot be passed.`;
  throw invalid([{ pointer: '/sequence', code: 'too_large', detail }]);
}
