import { entityNames, entityTypes } from '@scriptorium/contracts/documents/entities';
import { documentLabelNames, documentLabels } from '@scriptorium/contracts/documents/labels';
import { builtInPresets } from '@scriptorium/contracts/documents/presets';
import { narrowings, profileNames, profiles } from '@scriptorium/contracts/documents/profiles';
import { limits } from '@scriptorium/contracts/limits';
import { operationNames, operations } from '@scriptorium/contracts/operations';
import { Capabilities, UsageRecord } from '@scriptorium/contracts/wire/service';
import { partial, strictObject } from '@scriptorium/contracts/wire/shapes';
import { Type } from 'typebox';
import { readQuotas } from '../../policies/quotas.ts';
import { readUsageDays } from '../../policies/usage-days.ts';
import { basePathOf } from '../base-path.ts';
import { ok } from '../frame/reply.ts';
import { type Route, route } from '../frame/route.ts';
import { apiDocument } from '../openapi/api-document.ts';

const tag = 'Service';

const limitNames = Object.keys(limits) as (keyof typeof limits)[];
const limitsSchema = strictObject(
  Object.fromEntries(limitNames.map((name) => [name, Type.Integer()])) as Record<
    keyof typeof limits,
    ReturnType<typeof Type.Integer>
  >,
  { title: 'Limits' },
);

const labels = documentLabelNames.map((label) => ({
  label,
  description: documentLabels[label],
}));

const describedEntities = entityNames.map((entity) => ({
  entity,
  description: entityTypes[entity].summary,
}));

const features: Capabilities['features'] = [
  {
    feature: 'human_review',
    maturity: 'expanding',
    summary: 'Let people review the findings of `redact_pii` and `classify`.',
  },
  {
    feature: 'packs',
    maturity: 'expanding',
    summary: 'Pack many documents for language models, with citations that open their pages.',
  },
];

const describedPresets = builtInPresets.map(({ operations: list, ...texts }) => ({
  ...texts,
  operations: list.map(({ op, options = {} }) => ({ op, options: { ...options } })),
}));

const describedProfiles = profileNames.map((profile) => {
  const { summary, source, entities, narrowed } = profiles[profile];
  return {
    profile,
    description: summary,
    source,
    entities: [...entities],
    narrowed: narrowed.map((name) => ({
      entity: narrowings[name].type,
      description: narrowings[name].summary,
    })),
  };
});

const getLimits = route({
  method: 'GET',
  path: '/v1/limits',
  operationId: 'getLimits',
  tag,
  summary: 'Get the limits of the API.',
  scopes: [],
  responses: { 200: limitsSchema },
  handler: async () => ok(limits),
});

const getUsage = route({
  method: 'GET',
  path: '/v1/usage',
  operationId: 'getUsage',
  tag,
  summary: 'Get the usage and quotas of the project.',
  description:
    'Requests that would exceed a quota return `quota_exceeded`. Outputs of jobs count but are never rejected. Purged objects do not count. The operator sets the quotas. `days` adds the storage and the requests of each day.',
  scopes: ['objects:read'],
  query: strictObject({
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: limits.usage_days,
        description: 'The number of days to return, today included.',
      }),
    ),
  }),
  responses: { 200: UsageRecord },
  handler: async ({ tx, key, query }) => {
    const [used, days] = await Promise.all([
      readQuotas(tx, key.projectId),
      query.days === undefined ? undefined : readUsageDays(tx, key.projectId, query.days),
    ]);
    return ok({ ...used, ...(days && { days }) });
  },
});

const getCapabilities = route({
  method: 'GET',
  path: '/v1/capabilities',
  operationId: 'getCapabilities',
  tag,
  summary: 'Get the operations of document jobs and their maturity.',
  scopes: [],
  responses: { 200: Capabilities },
  handler: async ({ deps }) => {
    const languages = deps.settings.ocrLanguages;
    const described = operationNames.map((op) => {
      const { maturity, summary, options, outputs, sources } = operations[op];
      return {
        op,
        maturity,
        summary,
        options: { ...partial(options) },
        outputs: [...outputs],
        sources: [...sources],
        labels: op === 'classify' ? labels : null,
        profiles: op === 'redact_pii' ? describedProfiles : null,
        entities: op === 'redact_pii' ? describedEntities : null,
      };
    });
    return ok({
      operations: described,
      features,
      presets: describedPresets,
      ocr_languages: languages && [...languages],
    });
  },
});

/** The route of the OpenAPI document, which includes itself. */
function describeRoutes(routes: () => readonly Route[]): Route {
  return route({
    method: 'GET',
    path: '/v1/openapi.json',
    operationId: 'getOpenApi',
    tag,
    summary: 'Get this OpenAPI 3.1 document.',
    scopes: [],
    responses: { 200: Type.Record(Type.String(), Type.Unknown()) },
    handler: async ({ deps }) => ok(apiDocument(routes(), basePathOf(deps.settings.publicUrl))),
  });
}

/** `routes` is a function because the list includes these routes. */
export function serviceRoutes(routes: () => readonly Route[]): Route[] {
  return [getLimits, getUsage, getCapabilities, describeRoutes(routes)];
}
