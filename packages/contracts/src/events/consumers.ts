import { type Static, Type } from 'typebox';
import { audit, none, strict } from './event-type.ts';

const facts = Type.Object({ name: Type.String(), category: Type.String() }, strict);
const example: Static<typeof facts> = { name: 'billing', category: 'domain' };

/** Consumers of events. Committing a position is part of reading, and is not recorded. */
export const consumerEvents = {
  'events.consumer.created': audit('consumer', 'A consumer was created.', facts, example),
  'events.consumer.changed': audit(
    'consumer',
    'A consumer was moved to another position (seek).',
    Type.Object({ from: Type.Integer(), to: Type.Integer() }, strict),
    { from: 4_200, to: 120 },
  ),
  'events.consumer.deleted': audit('consumer', 'A consumer was deleted.', none, {}),
} as const;
