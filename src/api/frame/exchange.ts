import type { Context } from 'koa';
import type { Credentials, Identity } from '../../access/authenticate.ts';
import type { NoteDenial } from '../../access/denials.ts';
import type { Standing } from '../../access/rate-limits.ts';
import type { Origin } from '../../contracts/origin.ts';
import type { Cause } from '../../outbox/cause.ts';
import type { ClientLimits } from '../connections/limits.ts';
import type { Room } from '../connections/room.ts';
import type { Deps } from '../deps.ts';
import type { Checks } from './checks.ts';
import type { Route } from './route.ts';
import type { Together } from './together.ts';
import type { Turns } from './turns.ts';

/** What serving needs besides the routes. */
export interface Frame {
  deps: Deps;
  noteDenial: NoteDenial;
  turns: Turns;
  together: Together;
  clientLimits: ClientLimits;
  /** Where the JSON bodies that are read take their memory from. */
  bodies: { ofStrangers: Room; ofKeys: Room };
  /** Where a request's credentials stand: the two headers, or for the portal its session. */
  credentialsOf: (ctx: Context) => Credentials;
}

/** One request, from its first byte to its answer. */
export interface Exchange {
  ctx: Context;
  route: Route;
  frame: Frame;
  checks: Checks;
  params: Record<string, string>;
  credentials: Credentials;
  address: string | null;
  requestId: string;
  /** What its transactions go back to. */
  cause: Cause;
  identity?: Identity;
  standing?: Standing;
}

/** The origin of what a request changes. */
export function originOf(exchange: Omit<Exchange, 'credentials'>, identity: Identity): Origin {
  return {
    projectId: identity.projectId,
    actor: { type: 'api_key', id: identity.keyId },
    address: exchange.address,
    requestId: exchange.requestId,
  };
}
