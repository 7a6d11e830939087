import { type EventTypeName, eventTypeNames, eventTypes } from '@scriptorium/contracts/events';
import { idPattern } from '@scriptorium/contracts/ids';
import { describeEventTypes } from '../../outbox/feed/catalogue.ts';
import type { Json } from './json.ts';
import type { Schemas } from './schemas.ts';
import { eventTag } from './tags.ts';

/** The headers of a webhook message (Standard Webhooks 1.0). */
export const messageHeaders = {
  WebhookId: {
    name: 'webhook-id',
    in: 'header',
    required: true,
    schema: { type: 'string', pattern: idPattern('event') },
    example: 'evt_01m7gtek0sx6hv4x5fqk2v9d3e',
    description:
      'The identifier of the event, the same in every attempt. Use it to detect duplicates.',
  },
  WebhookTimestamp: {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    schema: { type: 'string', pattern: '^\\d+$' },
    example: '1769860800',
    description:
      'The time of this attempt, in seconds since 1970. Reject messages older than 5 minutes.',
  },
  WebhookSignature: {
    name: 'webhook-signature',
    in: 'header',
    required: true,
    schema: { type: 'string' },
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    description:
      'Signatures of `id.timestamp.body`, separated by spaces: `v1,` and the base64 of an HMAC-SHA256 with the secret; `v1a,` and the base64 of an Ed25519 signature, if the webhook is configured for it. One valid signature is enough.',
  },
  WebhookReplayId: {
    name: 'webhook-replay-id',
    in: 'header',
    schema: { type: 'string', pattern: idPattern('replay') },
    description: 'The replay that sent the event, if any.',
  },
};

/**
 * Every event type as an OpenAPI 3.1 webhook. Audit types are included, because an endpoint may
 * name them.
 */
export function describeEvents(schemas: Schemas): Record<string, Json> {
  const examples = new Map(describeEventTypes().map(({ type, example }) => [type, example]));
  return Object.fromEntries(
    eventTypeNames.map((type) => [
      type,
      { post: describeEvent(type, examples.get(type), schemas) },
    ]),
  );
}

function describeEvent(type: EventTypeName, example: unknown, schemas: Schemas): Json {
  const { summary, category, resource, data } = eventTypes[type];
  const body = {
    allOf: [
      { $ref: '#/components/schemas/WebhookMessage' },
      {
        type: 'object',
        properties: {
          type: { const: type },
          category: { const: category },
          resource_type: { const: resource },
          data: schemas.use(data),
        },
      },
    ],
  };
  return {
    operationId: `receive ${type}`.replace(/[ ._](\w)/g, (_all, letter: string) =>
      letter.toUpperCase(),
    ),
    tags: [eventTag],
    summary,
    ...(category === 'audit'
      ? {
          description:
            'An audit event: sent only to webhooks that name the type. Wildcards do not match it.',
        }
      : {}),
    'x-category': category,
    security: [],
    parameters: Object.keys(messageHeaders).map((name) => ({
      $ref: `#/components/parameters/${name}`,
    })),
    requestBody: { required: true, content: { 'application/json': { schema: body, example } } },
    responses: {
      '2XX': { description: 'The message was received. The body is ignored.' },
      410: { description: 'The receiver no longer exists. The webhook is disabled.' },
    },
  };
}

/** The body of a message. Each type narrows `data`. */
export const messageSchema = {
  type: 'object',
  description: 'An event as sent to webhooks. Thin payloads have no `data`.',
  required: [
    'id',
    'type',
    'timestamp',
    'project_id',
    'resource_type',
    'resource_id',
    'category',
    'sequence',
    'occurred_at',
    'actor',
    'request_id',
  ],
  properties: {
    id: { type: 'string', pattern: idPattern('event') },
    type: { type: 'string' },
    timestamp: { type: 'string', format: 'date-time', description: 'The same as `occurred_at`.' },
    project_id: { type: 'string', pattern: idPattern('project') },
    resource_type: { type: 'string' },
    resource_id: { type: 'string' },
    category: { enum: ['domain', 'audit'] },
    sequence: {
      type: 'integer',
      minimum: 1,
      description:
        'Increases by one per project and category. Messages may arrive out of order; sort by it.',
    },
    occurred_at: { type: 'string', format: 'date-time' },
    actor: {
      type: 'object',
      required: ['type', 'id', 'name'],
      properties: {
        type: { type: 'string' },
        id: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        name: {
          anyOf: [{ type: 'string' }, { type: 'null' }],
          description: 'The name of a person at that time; null for all other actors.',
        },
      },
    },
    request_id: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    data: { type: 'object', description: 'The data of the event type.' },
  },
};
