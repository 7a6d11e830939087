import { strictObject } from '@scriptorium/contracts/wire/shapes';
import { statsPeriodNames, WebhookStats } from '@scriptorium/contracts/wire/webhook-stats';
import { Type } from 'typebox';
import { findEndpoint } from '../../../webhooks/endpoints/read.ts';
import { readStats } from '../../../webhooks/stats/read.ts';
import { ok } from '../../frame/reply.ts';
import { route } from '../../frame/route.ts';
import { tag } from './load.ts';

const stats = route({
  method: 'GET',
  path: '/v1/webhooks/{id}/stats',
  operationId: 'getWebhookStats',
  tag,
  summary: 'Get the success rate and response times of a webhook over time.',
  description:
    'Counts attempts, including retries, by the time at which they ended. Response times include all attempts with a response, whatever the status. Percentiles are estimates: each lies in the same class of the histogram as the exact value, and classes are at most twice as wide as their lower bound. Tests are not counted.',
  scopes: ['webhooks:read'],
  params: { id: 'webhook' },
  query: strictObject({
    period: Type.Optional(
      Type.Enum([...statsPeriodNames], {
        default: '24h',
        description:
          'The last 24 hours in steps of 15 minutes, the last 7 days by hour, or the last 30 days in steps of six hours.',
      }),
    ),
  }),
  responses: { 200: WebhookStats },
  load: async ({ tx, origin, params, query }) => {
    const [endpoint, found] = await Promise.all([
      findEndpoint(tx, origin.projectId, params.id),
      readStats(tx, origin.projectId, params.id, query.period ?? '24h'),
    ]);
    return endpoint && found;
  },
  handler: async ({ resource }) => ok(resource),
});

export const statsRoutes = [stats];
