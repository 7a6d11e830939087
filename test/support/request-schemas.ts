import type { TSchema } from 'typebox';
import type { Shape } from '../../src/api/requests/check/schema.ts';
import { routes } from '../../src/api/routes/index.ts';

/** A schema that validates a part of a request. */
export interface RequestSchema {
  name: string;
  schema: TSchema;
  shape: Shape;
}

/** The schemas of all bodies, from the list of routes. */
export const bodySchemas: readonly RequestSchema[] = routes.flatMap((route) =>
  route.kind === 'json' && route.body
    ? [createRequestSchema(`${route.operationId} body`, route.body)]
    : [],
);

/** The schemas of all queries. */
export const querySchemas: readonly RequestSchema[] = routes.flatMap((route) =>
  route.query ? [createRequestSchema(`${route.operationId} query`, route.query)] : [],
);

function createRequestSchema(name: string, schema: TSchema): RequestSchema {
  return { name, schema, shape: schema as Shape };
}

/** The schemas right inside one, each with the step that leads to it from a value of the outer one. */
function partsOf(shape: Shape): Shape[] {
  const { items, additionalProperties, patternProperties = {}, properties = {} } = shape;
  return [
    ...Object.values(properties),
    ...Object.values(patternProperties),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
    ...(items ? [items] : []),
    ...(shape.anyOf ?? []),
    ...(shape.oneOf ?? []),
  ];
}

/** A schema and all that are inside it. */
export function allShapes(shape: Shape): Shape[] {
  return [shape, ...partsOf(shape).flatMap(allShapes)];
}
