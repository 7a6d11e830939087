import { limits } from '@scriptorium/contracts/limits';
import type { Origin } from '@scriptorium/contracts/origin';
import { Problem } from '@scriptorium/contracts/problems';
import type { WorkClass } from '@scriptorium/contracts/work/work';
import type { Context, Middleware } from 'koa';
import { networkOf } from '../../access/addresses.ts';
import type { NoteDenial } from '../../access/denials.ts';
import type { FairQueue } from '../../access/fair-queue.ts';
import { createGuesses, type Guesses } from '../../access/guesses.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import type { Share } from '../../entities/library/share.ts';
import { countUse, visitorOrigin } from '../../library/shares/use.ts';
import { PolicyDenied } from '../../policies/denials.ts';
import { basePathOf } from '../base-path.ts';
import { whenOver } from '../connections/responses.ts';
import type { Deps } from '../deps.ts';
import { occupy } from '../frame/admit.ts';
import { toProblem } from '../frame/answers/problem.ts';
import { addressOf } from '../requests/headers.ts';
import { rejectOtherSites } from '../requests/same-site.ts';
import { enter } from './enter.ts';
import { type NamedShare, readShareToken, sharePrefix } from './link.ts';
import { openShare } from './open.ts';
import { sendPage, wantsJson } from './page.ts';
import { type Place, placeOf } from './place.ts';
import { hasGrant, showPlace } from './show.ts';
import { takeUpload } from './upload.ts';
import { entryPage, problemPage } from './views.ts';
import { beginVisit, closed, entryRequired, isVisiting, needsEntry, requireOpen } from './visit.ts';

/**
 * Serves `/l/<token>`: shows a share to people without a key. The token identifies the share under
 * a MAC; everything else is read for each request, so changes apply at once.
 */

/** The maximum number of concurrent requests per link and per network. */
const max = {
  uploads: { link: 16, address: 8 },
  bytes: { link: 32, address: 64 },
  rest: { link: 256, address: 128 },
};

function kindOf({ kind }: Place): keyof typeof max {
  if (kind === 'uploads') return 'uploads';
  return kind === 'download' || kind === 'archive' ? 'bytes' : 'rest';
}

/** The class of the database work of a request: lists cost more the larger the library is. */
function workOf({ kind }: Place): WorkClass {
  if (kind === 'archive') return 'heavy';
  return kind === 'root' || kind === 'collection' ? 'search' : 'quick';
}

/** A request of a visitor, with its context. */
export interface Visit {
  ctx: Context;
  deps: Deps;
  named: NamedShare;
  /** The path of the link. */
  base: string;
  place: Place;
  from: { address: string | null; requestId: string };
  guesses: Guesses;
  /** Runs `work` at the project's turn, with the current share. */
  inShare<T>(work: (tx: Tx, share: Share, origin: Origin) => Promise<T>): Promise<T>;
}

/** Serves the links. Tokens are never logged: logs contain operations, not paths. */
export function createShareLinks(
  deps: Deps,
  fairQueue: FairQueue,
  noteDenial: NoteDenial,
): Middleware {
  const places = () => ({ link: new Map<string, number>(), address: new Map<string, number>() });
  const open = { uploads: places(), bytes: places(), rest: places() };
  const guesses = createGuesses(deps.rateLimits);
  return async (ctx, next) => {
    if (!ctx.path.startsWith(sharePrefix)) return next();
    ctx.state.operation = 'useShare';
    ctx.set({ 'Referrer-Policy': 'same-origin', 'X-Robots-Tag': 'noindex' });
    const token = ctx.path.slice(sharePrefix.length).split('/')[0] ?? '';
    const named = readShareToken(deps.signer, token);
    const own = sharePrefix + token;
    const base = basePathOf(deps.settings.publicUrl) + own;
    try {
      const place = named && placeOf(ctx.path.slice(own.length));
      if (!named || !place) throw new Problem('not_found', 'The link is incomplete or mistyped.');
      requireMethod(ctx, place);
      rejectOtherSites(ctx);
      ctx.state.projectId = named.projectId;
      const address = addressOf(deps, ctx);
      const kind = kindOf(place);
      const holders = { link: named.id, address: networkOf(address) };
      for (const holder of ['address', 'link'] as const) {
        const taken = open[kind][holder];
        whenOver(ctx.res, occupy(taken, holders[holder], max[kind][holder], holder));
      }
      takeRate(deps, `share:${named.id}:${holders.address}`, limits.share_requests_per_minute);
      // Each archive records an event per file.
      if (place.kind === 'archive') {
        takeRate(deps, `share-archives:${named.id}`, limits.share_archives_per_minute);
      }
      const from = { address, requestId: String(ctx.state.requestId) };
      const inShare: Visit['inShare'] = (work) =>
        fairQueue.run({ project: named.projectId, key: named.id }, workOf(place), () =>
          inTransaction(deps.database, async (tx) => {
            const share = await openShare(tx, named, address);
            if (!share) throw closed();
            return work(tx, share, visitorOrigin(share, from));
          }),
        );
      const visit: Visit = { ctx, deps, named, base, place, from, guesses, inShare };
      await serve(visit).catch(async (error: unknown) => {
        if (!(error instanceof PolicyDenied)) throw error;
        const actor = { type: 'share', id: named.id } as const;
        await noteDenial({ projectId: named.projectId, actor, ...from }, error, 'useShare').catch(
          (reason: unknown) => {
            deps.logger.error({ err: reason }, 'denial could not be recorded');
          },
        );
        // Visitors are outsiders, so policies are not disclosed to them.
        throw new Problem('policy_denied', 'A policy of its owner does not allow this.');
      });
    } catch (error) {
      const problem = toProblem(error);
      if (!problem || wantsJson(ctx) || ctx.res.headersSent) throw error;
      ctx.set(problem.headers);
      const again = named && problem.code !== 'share_closed' ? base : null;
      const page = problemPage(problem, String(ctx.state.requestId), again);
      sendPage(ctx, problem.status, page);
    }
  };
}

async function serve(visit: Visit): Promise<void> {
  const { ctx, deps, base, place } = visit;
  if (place.kind === 'uploads') return takeUpload(visit);
  if (ctx.method === 'POST') return enter(visit);
  const { share, isAdmitted } = await visit.inShare(async (_, found) => {
    const admitted = isVisiting(ctx, deps.signer, found) || hasGrant(visit, found);
    requireOpen(found, admitted);
    return { share: found, isAdmitted: admitted };
  });
  if (!isAdmitted) {
    if (needsEntry(share)) {
      if (wantsJson(ctx)) throw entryRequired(share);
      sendPage(ctx, place.kind === 'root' ? 200 : 403, entryPage(share, base, null));
      return;
    }
    if (ctx.method === 'GET' && pages.has(place.kind)) {
      await visit.inShare(async (tx, now) => {
        requireOpen(now, false);
        if (needsEntry(now) || !(await countUse(tx, now, 'views'))) throw closed();
      });
      beginVisit(ctx, deps.signer, share, base);
    }
  }
  await showPlace(visit);
}

/** The requests that count as a visit; pictures and downloads belong to one. */
const pages: ReadonlySet<Place['kind']> = new Set(['root', 'collection', 'file']);

function requireMethod(ctx: Context, place: Place): void {
  const methods: Partial<Record<Place['kind'], string[]>> = {
    root: ['GET', 'HEAD', 'POST'],
    uploads: ['POST'],
  };
  const allowed = methods[place.kind] ?? ['GET', 'HEAD'];
  if (allowed.includes(ctx.method)) return;
  throw new Problem('method_not_allowed', `The method must be one of: ${allowed.join(', ')}.`, {
    headers: { Allow: allowed.join(', ') },
  });
}

/** @throws Problem 429 if a link is used too often */
function takeRate({ rateLimits }: Deps, name: string, max: number): void {
  const standing = rateLimits.take(name, 'read', max);
  if (standing.allowed) return;
  throw new Problem('rate_limited', 'The link is used too often at the moment. Wait a minute.', {
    headers: { 'Retry-After': String(standing.resetSeconds) },
  });
}
