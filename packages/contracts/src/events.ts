import type { Static } from 'typebox';
import { accessEvents } from './events/access.ts';
import { consumerEvents } from './events/consumers.ts';
import { damEvents } from './events/dam.ts';
import { documentEvents } from './events/documents.ts';
import { erasureEvents } from './events/erasures.ts';
import type { EventType } from './events/event-type.ts';
import { mediaEvents } from './events/media.ts';
import { memberEvents } from './events/members.ts';
import { packEvents } from './events/packs.ts';
import { policyEvents } from './events/policies.ts';
import { presetEvents } from './events/presets.ts';
import { retentionEvents } from './events/retention.ts';
import { reviewEvents } from './events/reviews.ts';
import { shareEvents } from './events/shares.ts';
import { webhookEvents } from './events/webhooks.ts';

/**
 * Every event type: its resource, its category and the schema of its `data`. A new type is one
 * entry in the file of its domain.
 */
export const eventTypes = {
  ...damEvents,
  ...shareEvents,
  ...policyEvents,
  ...retentionEvents,
  ...erasureEvents,
  ...documentEvents,
  ...presetEvents,
  ...reviewEvents,
  ...packEvents,
  ...webhookEvents,
  ...consumerEvents,
  ...accessEvents,
  ...memberEvents,
  ...mediaEvents,
} as const satisfies Record<string, EventType>;

export type EventTypeName = keyof typeof eventTypes;
export const eventTypeNames = Object.keys(eventTypes) as EventTypeName[];
export type EventData<T extends EventTypeName> = Static<(typeof eventTypes)[T]['data']>;

/**
 * An event to record. It gets an identifier unless it already has one, and the resource type of its
 * event type unless it names another.
 */
export type NewEvent = {
  [T in EventTypeName]: {
    id?: string;
    type: T;
    resource?: string;
    resourceId: string;
    data: EventData<T>;
  };
}[EventTypeName];
