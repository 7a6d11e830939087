import { type IdKind, idPrefixes, isId } from '@scriptorium/contracts/ids';
import { notFound, Problem } from '@scriptorium/contracts/problems';
import { strictObject } from '@scriptorium/contracts/wire/shapes';
import type { WorkClass } from '@scriptorium/contracts/work/work';
import { compileAnswer, compileBody } from '../requests/check/compile.ts';
import { compileQuery } from '../requests/query.ts';
import type { ParamRule, Route } from './route.ts';

/** Whether a rule is a kind of identifier rather than a schema. */
export function isIdKind(rule: ParamRule): rule is IdKind {
  return typeof rule === 'string';
}

/** The type of a path parameter of a route. */
export function paramRule(declared: Route, name: string): ParamRule | undefined {
  const rules: Record<string, ParamRule> | undefined = declared.params;
  return rules?.[name];
}

/** The names of the parameters in a path, in order. */
export function paramNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((found) => found[1]!);
}

/** Whether a route accepts an Idempotency-Key. */
export function takesIdempotencyKey(declared: Route): boolean {
  return declared.idempotent ?? declared.method === 'POST';
}

/** The class of a route's database work. */
export function workOf(declared: Route): WorkClass {
  return declared.work ?? 'quick';
}

/** Whether a route does not change the database. */
export function onlyReads(declared: Route): boolean {
  return declared.method === 'GET' && !declared.writes;
}

/** The rate limit of a route. */
export function rateOf(declared: Route): 'read' | 'write' | 'none' {
  return declared.rate ?? (declared.method === 'GET' ? 'read' : 'write');
}

/** The compiled checks of one route. */
export interface Checks {
  query: ReturnType<typeof compileQuery>;
  body: ReturnType<typeof compileBody>;
  readonly bodyMayBeEmpty: boolean;
  params: (params: Record<string, string>) => void;
  answers: Map<number, ReturnType<typeof compileAnswer>>;
}

const emptyObject = strictObject({});

/** Compiles the checks of requests and, with `checkAnswers`, of responses. */
export function compileChecks(route: Route, checkAnswers: boolean): Checks {
  const body = route.kind === 'json' ? (route.body ?? emptyObject) : emptyObject;
  const checkBody = compileBody(body);
  return {
    query: compileQuery(route.query ?? emptyObject),
    body: checkBody,
    // An empty body is accepted if an empty object is.
    get bodyMayBeEmpty() {
      return route.method === 'POST' && checkBody({}).length === 0;
    },
    params: compileParams(route),
    answers: new Map(
      checkAnswers
        ? Object.entries(route.responses).flatMap(([status, schema]) =>
            schema ? [[Number(status), compileAnswer(schema)] as const] : [],
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
      return { name, noun, allowed, fits: (value: string) => check(value).length === 0 };
    }
    if (!(rule in idPrefixes)) throw new Error(`Unknown kind of identifier '${rule}'.`);
    return {
      name,
      noun: nounOf(route, name),
      allowed: [],
      fits: (value: string) => isId(rule, value),
    };
  });
  return (params) => {
    for (const { name, noun, allowed, fits } of rules) {
      const value = params[name] ?? '';
      if (!fits(value)) throw unfit(noun, value, allowed);
    }
  };
}

/** 404 for a path parameter that cannot name a resource. */
function unfit(noun: string, value: string, allowed: readonly string[]): Problem {
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
