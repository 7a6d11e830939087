import { problemSchema } from '../../contracts/wire/shapes.ts';
import type { Route } from '../frame/route.ts';
import { headers, parameters, securitySchemes } from './components.ts';
import { describeEvents, messageHeaders, messageSchema } from './events.ts';
import type { Json } from './json.ts';
import { describeOperation } from './operation.ts';
import { problemCodeSchema } from './problem-codes.ts';
import { isObject, Schemas } from './schemas.ts';
import { describeTag, eventTag, eventTagDescription, tags } from './tags.ts';

const about = `A digital asset library, document jobs and a transactional outbox of events.

Every request is made within a project: it carries an API key (\`Authorization: Bearer sk_…\`) and the project it belongs to (\`X-Service-Project-ID: prj_…\`). What is refused is told as \`application/problem+json\` (RFC 9457), whose \`code\` says what to do: see the schema \`ProblemCode\`. What arrives at webhooks stands under \`webhooks\`.

Long answers in JSON and exports are compressed by \`Accept-Encoding\` (\`br\`, \`gzip\`); the \`ETag\` is the same under every coding.`;

/** The OpenAPI 3.1 document of the routes, from the schemas that validate them. */
export function describeApi(
  routes: readonly Route[],
  version: string,
  /** Described by hand: what is not of the frame. */
  others: Record<string, Json> = {},
): Json {
  const schemas = new Schemas();
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: describeOperation(route, routes, schemas),
    };
  }
  schemas.use(problemSchema);
  schemas.components.Problem = withCodes(schemas.components.Problem);
  const used = new Set(routes.map((route) => route.tag));
  const ordered = Object.keys(tags).filter((name) => used.delete(name));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Scriptorium',
      version,
      description: about,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ apiKey: [], project: [] }],
    tags: [
      ...[...ordered, ...used].map(describeTag),
      { name: eventTag, description: eventTagDescription },
    ],
    paths: { ...paths, ...structuredClone(others) },
    webhooks: describeEvents(schemas),
    components: {
      securitySchemes,
      schemas: {
        ...schemas.components,
        ProblemCode: problemCodeSchema,
        WebhookMessage: messageSchema,
      },
      parameters: { ...parameters, ...messageHeaders },
      headers,
    },
  };
}

/** The schema of problems, with every code and what it means. */
function withCodes(problem: unknown): Json {
  const { properties, ...rest } = isObject(problem) ? problem : {};
  const code = { $ref: '#/components/schemas/ProblemCode' };
  return { ...rest, properties: { ...(isObject(properties) ? properties : {}), code } };
}
