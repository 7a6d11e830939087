import type { Origin } from '@scriptorium/contracts/origin';
import { Problem, referenceNotFound, validationFailed } from '@scriptorium/contracts/problems';
import type { ConsumerSeek } from '@scriptorium/contracts/wire/consumers';
import { nextVersion, sendUpdate, transactionTime } from '../../../db/statements/rows.ts';
import type { InTransaction, Tx } from '../../../db/transaction.ts';
import { Consumer } from '../../../entities/outbox/consumer.ts';
import { record } from '../../record.ts';
import { acknowledgeRange } from '../acknowledge.ts';
import { cursorExpired, type FeedBounds, readBounds, rejectExpired } from '../bounds.ts';
import { findEvent } from '../feed.ts';
import { filtersOf } from './read.ts';
import { edgePosition } from './store.ts';

/** The events acknowledged for a commit before it moves the consumer. */
export interface AcknowledgedAhead {
  /** The position from which the commit will move. */
  position: number;
  published: number;
}

/** A commit that passes up to this many events acknowledges them in the same transaction. */
const maxPerTransaction = 5_000;

/**
 * Publishes, in batches, the events that a commit will pass and that match the consumer's filters, if
 * there may be many.
 * @throws Problem as `commit` does
 */
export async function acknowledgeAhead(
  inProject: InTransaction,
  consumer: Consumer,
  sequence: number,
): Promise<AcknowledgedAhead | undefined> {
  const { projectId, position } = consumer;
  if (sequence - position <= maxPerTransaction) return undefined;
  await inProject((tx) => rejectImpossible(tx, consumer, sequence));
  const range = { after: position, until: sequence };
  const published = await acknowledgeRange(inProject, projectId, filtersOf(consumer), range);
  return { position, published };
}

/**
 * Moves a locked consumer forwards: it has processed everything up to a sequence. With `ack`, events
 * that it passes and that match its filters are published.
 * @param options.ahead the result of `acknowledgeAhead` for this commit
 * @returns the consumer after the change, and how many events this published
 * @throws Problem 409 for a sequence before its position, 422 for one that has not been assigned
 *   yet
 */
export async function commit(
  tx: Tx,
  consumer: Consumer,
  {
    sequence,
    ack,
    ahead,
  }: { sequence: number; ack: boolean; ahead?: AcknowledgedAhead | undefined },
): Promise<{ consumer: Consumer; acknowledged: number }> {
  const { projectId, position } = consumer;
  await rejectImpossible(tx, consumer, sequence);
  // The consumer may have been moved back since the events were acknowledged.
  const range = { after: position, until: ahead ? ahead.position : sequence };
  const published = ack
    ? await acknowledgeRange((work) => work(tx), projectId, filtersOf(consumer), range)
    : 0;
  const updated = await updateConsumer(tx, consumer, {
    lastCommittedAt: transactionTime,
    ...(sequence === position ? {} : { position: sequence, version: nextVersion }),
  });
  return { consumer: updated, acknowledged: (ahead?.published ?? 0) + published };
}

/**
 * Moves a locked consumer backwards or forwards.
 * @throws Problem 422 for a position that does not exist, 410 for one that is no longer retained
 */
export async function seek(
  tx: Tx,
  origin: Origin,
  consumer: Consumer,
  target: ConsumerSeek,
): Promise<Consumer> {
  const position = await resolvePosition(tx, consumer, target);
  if (position === consumer.position) return consumer;
  const data = { from: consumer.position, to: position };
  await record(tx, origin, { type: 'events.consumer.changed', resourceId: consumer.id, data });
  return updateConsumer(tx, consumer, { position, version: nextVersion });
}

/** Changes a consumer and reads it, in one packet. */
function updateConsumer(
  tx: Tx,
  { projectId, id }: Consumer,
  values: Parameters<typeof sendUpdate<Consumer>>[3],
): Promise<Consumer> {
  sendUpdate(tx, Consumer, { projectId, id }, values);
  return tx.findOneByOrFail(Consumer, { projectId, id });
}

async function resolvePosition(tx: Tx, consumer: Consumer, target: ConsumerSeek): Promise<number> {
  const { projectId, category } = consumer;
  const { sequence = 0, event_id: eventId, to } = target;
  if (Object.keys(target).length !== 1) {
    const detail = 'Send exactly one of `sequence`, `event_id` and `to`.';
    throw validationFailed([{ pointer: '', code: 'exactly_one', detail }]);
  }
  const bounds = await readBounds(tx, projectId, category);
  if (to !== undefined) return edgePosition(to, bounds);
  if (eventId !== undefined) {
    const event = await findEvent(tx, projectId, eventId);
    if (event?.category === category) return event.sequence;
    await rejectExpired(tx, projectId, category, eventId);
    throw referenceNotFound('/event_id', eventId);
  }
  rejectFuture(sequence, bounds);
  const earliest = edgePosition('earliest', bounds);
  if (sequence < earliest) {
    throw cursorExpired(bounds.earliest, `the earliest position to seek to is ${earliest}`);
  }
  return sequence;
}

async function rejectImpossible(tx: Tx, consumer: Consumer, sequence: number): Promise<void> {
  const { projectId, position, category } = consumer;
  rejectFuture(sequence, await readBounds(tx, projectId, category));
  if (sequence >= position) return;
  throw new Problem(
    'state_conflict',
    `The consumer is already at ${position}, and a commit cannot move it back. To read events after ${sequence} again, seek to ${sequence}.`,
    { extra: { position } },
  );
}

function rejectFuture(sequence: number, bounds: FeedBounds): void {
  if (sequence <= bounds.latest) return;
  const detail = `\`sequence\` must be at most ${bounds.latest}, the sequence of the newest event.`;
  throw validationFailed([{ pointer: '/sequence', code: 'too_large', detail }]);
}
