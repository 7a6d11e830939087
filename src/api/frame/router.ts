import type { Context, Middleware } from 'koa';
import { Problem } from '../../contracts/problems.ts';
import type { Frame } from './exchange.ts';
import { paramNames, type Route } from './route.ts';
import { serve } from './serve.ts';

/** What answers a request of one route. */
type Answer = ReturnType<typeof serve>;

/** A path with what it answers, by method. */
interface Place {
  expression: RegExp;
  /** The names of what the expression captures. */
  params: readonly string[];
  answers: Map<string, Answer>;
}

/**
 * The routes as Koa middleware; a path that none of them has is left to the next. Paths are matched
 * exactly: case, slashes and all. A path that is known under another method is 405 with `Allow`;
 * OPTIONS answers the same list and nothing else, since no origin but our own is meant to call this
 * from a browser.
 *
 * The places of each resource are found by the path's first two segments: a path is held against them
 * one after the other, and all of them would be too many.
 */
export function createRouter(routes: readonly Route[], frame: Frame): Middleware {
  const names = new Set<string>();
  const places = new Map<string, Place>();
  // A literal segment wins over a parameter: /keys/self over /keys/{id}.
  for (const route of [...routes].sort((a, b) => (rank(a.path) < rank(b.path) ? -1 : 1))) {
    const { operationId, path, method } = route;
    if (names.has(operationId)) throw new Error(`Two routes are called ${operationId}.`);
    names.add(operationId);
    const place = places.get(path) ?? placeAt(path);
    places.set(path, place);
    const answer = serve(route, frame);
    place.answers.set(method, answer);
    if (method === 'GET') place.answers.set('HEAD', answer);
  }
  const byResource = new Map<string, Place[]>();
  for (const [path, place] of places) {
    const resource = resourceOf(path);
    byResource.set(resource, [...(byResource.get(resource) ?? []), place]);
  }
  return (ctx, next) => {
    const { path, method } = ctx;
    const near = byResource.get(resourceOf(path)) ?? [];
    for (const { expression, params, answers } of near) {
      const answer = answers.get(method);
      const found = answer && expression.exec(path);
      if (found) return answer(ctx, paramsIn(found, params));
    }
    const there = near.filter(({ expression }) => expression.test(path));
    if (there.length === 0) return next();
    tellMethods(ctx, [...there.flatMap(({ answers }) => [...answers.keys()]), 'OPTIONS']);
    return Promise.resolve();
  };
}

function placeAt(path: string): Place {
  const literal = path.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&');
  const expression = new RegExp(`^${literal.replaceAll(/\{\w+\}/g, '([^/]+)')}$`);
  return { expression, params: paramNames(path), answers: new Map() };
}

function paramsIn(found: RegExpExecArray, names: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {};
  for (let at = 0; at < names.length; at++) params[names[at]!] = decode(found[at + 1]!);
  return params;
}

/** What is not well encoded is taken as it stands: it names nothing. */
function decode(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The first two segments of a path. */
function resourceOf(path: string): string {
  const second = path.indexOf('/', 1);
  const end = second < 0 ? -1 : path.indexOf('/', second + 1);
  return end < 0 ? path : path.slice(0, end);
}

function tellMethods(ctx: Context, methods: readonly string[]): void {
  const allow = [...new Set(methods)].sort().join(', ');
  if (ctx.method !== 'OPTIONS') {
    throw new Problem('method_not_allowed', `This path answers ${allow}.`, {
      headers: { Allow: allow },
    });
  }
  ctx.set('Allow', allow);
  ctx.status = 204;
}

function rank(path: string): string {
  return path.replaceAll(/\{\w+\}/g, '~');
}
