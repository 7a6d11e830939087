import { Type } from 'typebox';
import { erasureModes } from '../erasures.ts';
import { auditEvent, noData, strictOptions } from './event-type.ts';

const count = Type.Integer({ minimum: 0 });

/** Erasures of values. Never the values. */
export const erasureEvents = {
  'access.erasure.requested': auditEvent(
    'erasure',
    'An erasure was requested; the search for its values begins.',
    Type.Object({ values: count, objects: Type.Enum([...erasureModes]) }, strictOptions),
    { values: 2, objects: 'purge' },
  ),
  'access.erasure.confirmed': auditEvent('erasure', 'An erasure was confirmed.', noData, {}),
  'access.erasure.cancelled': auditEvent('erasure', 'An erasure was cancelled.', noData, {}),
  'access.erasure.finished': auditEvent(
    'erasure',
    'An erasure has finished. `kept` objects are kept by policies.',
    Type.Object({ erased: count, kept: count }, strictOptions),
    { erased: 12, kept: 1 },
  ),
} as const;
