import { Type } from 'typebox';
import { limits } from '../../contracts/limits.ts';
import { operationNames, operations, plannedOperations } from '../../contracts/operations.ts';
import { component, strictObject } from '../../contracts/wire.ts';
import { ok } from '../reply.ts';
import { route } from '../route.ts';

const tag = 'Service';

const limitNames = Object.keys(limits) as (keyof typeof limits)[];
const limitsSchema = component(
  'Limits',
  strictObject(
    Object.fromEntries(limitNames.map((name) => [name, Type.Integer()])) as Record<
      keyof typeof limits,
      ReturnType<typeof Type.Integer>
    >,
  ),
);

const capabilitiesSchema = component(
  'Capabilities',
  strictObject({
    operations: Type.Array(
      strictObject({
        op: Type.String(),
        maturity: Type.Enum(['stable', 'expanding', 'planned']),
        summary: Type.Union([Type.String(), Type.Null()]),
        outputs: Type.Array(Type.String()),
      }),
    ),
  }),
);

const getLimits = route({
  method: 'GET',
  path: '/v1/limits',
  operationId: 'getLimits',
  tag,
  summary: 'Get the limits that requests are held to.',
  scopes: [],
  responses: { 200: limitsSchema },
  handler: async () => ok(limits),
});

const getCapabilities = route({
  method: 'GET',
  path: '/v1/capabilities',
  operationId: 'getCapabilities',
  tag,
  summary: 'Get the operations of document jobs and how mature each is.',
  scopes: [],
  responses: { 200: capabilitiesSchema },
  handler: async () => {
    const built = operationNames.map((op) => ({
      op,
      maturity: operations[op].maturity,
      summary: operations[op].summary,
      outputs: [...operations[op].outputs],
    }));
    const planned = plannedOperations
      .filter((op) => !(operationNames as readonly string[]).includes(op))
      .map((op) => ({ op, maturity: 'planned' as const, summary: null, outputs: [] }));
    return ok({ operations: [...built, ...planned] });
  },
});

export const serviceRoutes = [getLimits, getCapabilities];
