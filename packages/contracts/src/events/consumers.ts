import { type Static, Type } from 'typebox';
import { auditEvent, noData, strictOptions } from './event-type.ts';

const consumerFacts = Type.Object({ name: Type.String(), category: Type.String() }, strictOptions);
const consumerExample: Static<typeof consumerFacts> = { name: 'billing', category: 'domain' };

/** Consumers of events. Committing a position is part of reading, and is not recorded. */
export const consumerEvents = {
  'events.consumer.created': auditEvent(
    'consumer',
    'A consumer was created.',
    consumerFacts,
    consumerExample,
  ),
  'events.consumer.changed': auditEvent(
    'consumer',
    'A consumer was moved to another position (seek).',
    Type.Object({ from: Type.Integer(), to: Type.Integer() }, strictOptions),
    { from: 4_200, to: 120 },
  ),
  'events.consumer.deleted': auditEvent('consumer', 'A consumer was deleted.', noData, {}),
} as const;
