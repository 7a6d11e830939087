import type { IdKind } from '@scriptorium/contracts/ids';
import type { WorkClass } from '@scriptorium/contracts/work/work';
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

/** Whether a route takes an Idempotency-Key. */
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
