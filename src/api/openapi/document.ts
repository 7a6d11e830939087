import { problemSchema } from '@scriptorium/contracts/wire/shapes';
import type { Route } from '../frame/route.ts';
import { headerComponents, parameters, securitySchemes } from './components.ts';
import { describeEvents, messageHeaders, messageSchema } from './events.ts';
import type { Json } from './json.ts';
import { describeOperation } from './operation.ts';
import { problemCodeSchema } from './problems/codes.ts';
import { isObject, Schemas } from './schemas.ts';
import { describeTag, eventTag, eventTagDescription, tags } from './tags.ts';

const apiDescription = `A digital asset library, document jobs and a transactional outbox of events.

Every request belongs to a project. It carries an API key (\`Authorization: Bearer sk_…\`) and the identifier of the project (\`X-Service-Project-ID: prj_…\`). Errors are \`application/problem+json\` (RFC 9457) with a \`code\`: see the schema \`ProblemCode\`. \`webhooks\` lists the messages that webhooks receive.

Large JSON responses and exports are compressed according to \`Accept-Encoding\` (\`br\`, \`gzip\`). The \`ETag\` does not depend on the encoding.`;

/** The OpenAPI 3.1 document of the routes, derived from the schemas that validate requests. */
export function describeApi(
  routes: readonly Route[],
  version: string,
  /** Paths without a route, which are described by hand. */
  otherPaths: Record<string, Json> = {},
): Json {
  const schemas = new Schemas();
  for (const { responses } of routes) {
    for (const schema of Object.values(responses)) if (schema) schemas.use(schema);
  }
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: describeOperation(route, routes, schemas),
    };
  }
  schemas.use(problemSchema);
  schemas.components.Problem = addProblemCodes(schemas.components.Problem);
  const usedTags = new Set(routes.map((route) => route.tag));
  const orderedTags = Object.keys(tags).filter((name) => usedTags.delete(name));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Scriptorium',
      version,
      description: apiDescription,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ apiKey: [], project: [] }],
    tags: [
      ...[...orderedTags, ...usedTags].map(describeTag),
      { name: eventTag, description: eventTagDescription },
    ],
    paths: { ...paths, ...structuredClone(otherPaths) },
    webhooks: describeEvents(schemas),
    components: {
      securitySchemes,
      schemas: {
        ...schemas.components,
        ProblemCode: problemCodeSchema,
        WebhookMessage: messageSchema,
      },
      parameters: { ...parameters, ...messageHeaders },
      headers: headerComponents,
    },
  };
}

/** The schema of problems, with `code` as a reference to the list of codes. */
function addProblemCodes(problem: unknown): Json {
  const { properties, ...rest } = isObject(problem) ? problem : {};
  const code = { $ref: '#/components/schemas/ProblemCode' };
  return { ...rest, properties: { ...(isObject(properties) ? properties : {}), code } };
}
