import { type IdKind, idPrefixes, isId } from '@scriptorium/contracts/ids';
import { notFound, Problem } from '@scriptorium/contracts/problems';
import { strictObject } from '@scriptorium/contracts/wire/shapes';
import type { WorkClass } from '@scriptorium/contracts/work/work';
import { compileBody, compileResponse } from '../requests/check/compile.ts';
import { compileQuery } from '../requests/query.ts';
import type { JsonRoute, ParamRule, Route } from './route.ts';

/** Whether a rule is a kind of identifier rather than a schema. */
export function isIdKind(rule: ParamRule): rule is IdKind {
  return typeof rule === 'string';
}

/** The type of a path parameter of a route. */
export function paramRule(route: Route, name: string): ParamRule | undefined {
  const rules: Record<string, ParamRule> | undefined = route.params;
  return rules?.[name];
}

/** The names of the parameters in a path, in order. */
export function paramNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((found) => found[1]!);
}

/** Whether a route accepts an Idempotency-Key. */
export function acceptsIdempotencyKey(route: Route): boolean {
  return route.idempotent ?? route.method === 'POST';
}

/** The class of a route's database work. */
export function workOf(route: Route): WorkClass {
  return route.work ?? 'quick';
}

/** Whether a route does not change the database. */
export function isReadOnlyRoute(route: Route): boolean {
  return route.method === 'GET' && !route.writes;
}

/** Whether a request to a route may have a body: a DELETE only if the route declares one. */
export function mayHaveBody(route: JsonRoute): boolean {
  if (route.method === 'DELETE') return route.body !== undefined;
  return route.method !== 'GET';
}

/** The rate limit of a route. */
export function rateOf(route: Route): 'read' | 'write' | 'none' {
  return route.rate ?? (route.method === 'GET' ? 'read' : 'write');
}

/** The compiled checks of one route. */
export interface Checks {
  query: ReturnType<typeof compileQuery>;
  body: ReturnType<typeof compileBody>;
  readonly bodyMayBeEmpty: boolean;
  params: (params: Record<string, string>) => void;
  responses: Map<number, ReturnType<typeof compileResponse>>;
}

const emptyObject = strictObject({});

/** Compiles the checks of requests and, with `checkResponses`, of responses. */
export function compileChecks(route: Route, checkResponses: boolean): Checks {
  const body = route.kind === 'json' ? (route.body ?? emptyObject) : emptyObject;
  const checkBody = compileBody(body);
  return {
    query: compileQuery(route.query ?? emptyObject),
    body: checkBody,
    // An empty body is treated as an empty object, if that is valid.
    get bodyMayBeEmpty() {
      return route.method === 'POST' && checkBody({}).length === 0;
    },
    params: compileParams(route),
    responses: new Map(
      checkResponses
        ? Object.entries(route.responses).flatMap(([status, schema]) =>
            schema ? [[Number(status), compileResponse(schema)] as const] : [],
          )
        : [],
    ),
  };
}

function compileParams(route: Route): (params: Record<string, string>) => void {
  const rules = paramNames(route.path).map((name) => {
    const rule = paramRule(route, name);
    if (rule === undefined) {
      throw new Error(`${route.operationId} does not declare the path parameter {${name}}.`);
    }
    if (!isIdKind(rule)) {
      const check = compileBody(rule);
      const allowed = 'enum' in rule && Array.isArray(rule.enum) ? rule.enum.map(String) : [];
      const noun = 'title' in rule ? String(rule.title) : nounOf(route, name);
      return { name, noun, allowed, isValid: (value: string) => check(value).length === 0 };
    }
    if (!(rule in idPrefixes)) throw new Error(`Unknown kind of identifier '${rule}'.`);
    return {
      name,
      noun: nounOf(route, name),
      allowed: [],
      isValid: (value: string) => isId(rule, value),
    };
  });
  return (params) => {
    for (const { name, noun, allowed, isValid } of rules) {
      const value = params[name] ?? '';
      if (!isValid(value)) throw unknownResource(noun, value, allowed);
    }
  };
}

/** 404 for a path parameter that is not a valid identifier or value. */
function unknownResource(noun: string, value: string, allowed: readonly string[]): Problem {
  if (allowed.length === 0) return notFound(noun, value);
  return new Problem(
    'not_found',
    `Unknown ${noun} '${value}'. Expected one of: ${allowed.join(', ')}.`,
  );
}

/** The noun for a path parameter, such as `image`. */
export function nounOf(route: Route, param: string): string {
  const kind = paramRule(route, param);
  return kind !== undefined && isIdKind(kind) ? kind : param.replaceAll('_', ' ');
}
