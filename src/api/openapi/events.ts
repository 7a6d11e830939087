import { type EventTypeName, eventTypeNames, eventTypes } from '../../contracts/events.ts';
import { idPattern } from '../../contracts/ids.ts';
import { describeEventTypes } from '../../outbox/feed/catalogue.ts';
import type { Json } from './json.ts';
import type { Schemas } from './schemas.ts';
import { eventTag } from './tags.ts';

/** What a message carries besides its body (Standard Webhooks 1.0). */
export const messageHeaders = {
  WebhookId: {
    name: 'webhook-id',
    in: 'header',
    required: true,
    schema: { type: 'string', pattern: idPattern('event') },
    example: 'evt_01m7gtek0sx6hv4x5fqk2v9d3e',
    description:
      "The event's identifier, the same at every attempt: what was handled once is done.",
  },
  WebhookTimestamp: {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    schema: { type: 'string', pattern: '^\\d+$' },
    example: '1769860800',
    description:
      'The time of this attempt, in seconds since 1970. Refuse what is older than 5 min.',
  },
  WebhookSignature: {
    name: 'webhook-signature',
    in: 'header',
    required: true,
    schema: { type: 'string' },
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    description:
      'Signatures of `id.timestamp.body`, parted by spaces: `v1,` and the base64 of an HMAC-SHA256 with the secret; `v1a,` and an ed25519 signature where the webhook asks for it. One that holds is enough.',
  },
  WebhookReplayId: {
    name: 'webhook-replay-id',
    in: 'header',
    schema: { type: 'string', pattern: idPattern('replay') },
    description: 'The replay that brought the event again, where one did.',
  },
};

/**
 * Every type of event that webhooks send, as a webhook of OpenAPI 3.1. Types of category audit are
 * among them: an endpoint may ask for those by name.
 */
export function describeEvents(schemas: Schemas): Record<string, Json> {
  const examples = new Map(describeEventTypes().map(({ type, example }) => [type, example]));
  return Object.fromEntries(
    eventTypeNames.map((type) => [type, { post: describe(type, examples.get(type), schemas) }]),
  );
}

function describe(type: EventTypeName, example: unknown, schemas: Schemas): Json {
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
      ? { description: 'Of category audit: sent to a webhook that names it, not by a wildcard.' }
      : {}),
    'x-category': category,
    security: [],
    parameters: Object.keys(messageHeaders).map((name) => ({
      $ref: `#/components/parameters/${name}`,
    })),
    requestBody: { required: true, content: { 'application/json': { schema: body, example } } },
    responses: {
      '2XX': { description: 'It has arrived. The body is not looked at.' },
      410: { description: 'Send nothing more: the webhook is disabled.' },
    },
  };
}

/** A message's body but for the data of its type. */
export const messageSchema = {
  type: 'object',
  description: 'An event as webhooks send it: thin ones without `data`.',
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
      description: 'Per project and category, without gaps: it orders what arrives in no order.',
    },
    occurred_at: { type: 'string', format: 'date-time' },
    actor: {
      type: 'object',
      required: ['type', 'id'],
      properties: {
        type: { type: 'string' },
        id: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      },
    },
    request_id: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    data: { type: 'object', description: 'What the type of event says it is.' },
  },
};
