import { limits } from '@scriptorium/contracts/limits';
import type { Origin } from '@scriptorium/contracts/origin';
import { Problem } from '@scriptorium/contracts/problems';
import type { WorkClass } from '@scriptorium/contracts/work/work';
import type { Context, Middleware } from 'koa';
import type { RecordDenial } from '../../access/denials.ts';
import type { FairQueue } from '../../access/fair-queue.ts';
import { createGuessLimiter, type GuessLimiter } from '../../access/guesses.ts';
import { networkOf } from '../../access/ip-addresses.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import type { Share } from '../../entities/library/share.ts';
import { countUse, visitorOrigin } from '../../library/shares/use.ts';
import { PolicyDenied } from '../../policies/denials.ts';
import { basePathOf } from '../base-path.ts';
import { onceClosed } from '../connections/responses.ts';
import type { Deps } from '../deps.ts';
import { takeSlot } from '../frame/admit.ts';
import { toProblem } from '../frame/responses/problem.ts';
import { addressOf } from '../requests/headers.ts';
import { rejectCrossOriginChange } from '../requests/same-site.ts';
import { enterShare } from './enter.ts';
import { readShareToken, type ShareRef, sharePrefix } from './link.ts';
import { openShare } from './open.ts';
import { sendPage, wantsJson } from './page.ts';
import { hasGrant, showTarget } from './show.ts';
import { parseTarget, type ShareTarget } from './target.ts';
import { receiveShareUpload } from './upload.ts';
import { entryPage, problemPage } from './views.ts';
import {
  beginVisit,
  entryRequired,
  isVisiting,
  needsEntry,
  requireOpen,
  shareClosed,
} from './visit.ts';

/**
 * Serves `/l/<token>`: shows a share to people without a key. The token contains the identifiers and
 * a MAC. All other data is read for each request, so changes apply immediately.
 */

/** The maximum number of concurrent requests per link and per network. */
const maxConcurrent = {
  uploads: { link: 16, address: 8 },
  bytes: { link: 32, address: 64 },
  rest: { link: 256, address: 128 },
};

function limitKindOf({ kind }: ShareTarget): keyof typeof maxConcurrent {
  if (kind === 'uploads') return 'uploads';
  return kind === 'download' || kind === 'archive' ? 'bytes' : 'rest';
}

/** The class of the database work of a request. The cost of lists grows with the library. */
function workOf({ kind }: ShareTarget): WorkClass {
  if (kind === 'archive') return 'heavy';
  return kind === 'root' || kind === 'collection' ? 'search' : 'quick';
}

/** A request of a visitor, with its context. */
export interface Visit {
  ctx: Context;
  deps: Deps;
  named: ShareRef;
  /** The path of the link. */
  base: string;
  target: ShareTarget;
  from: { address: string | null; requestId: string };
  guesses: GuessLimiter;
  /** Runs `work` with the current share, when it is the project's turn. */
  inShare<T>(work: (tx: Tx, share: Share, origin: Origin) => Promise<T>): Promise<T>;
}

/** Serves the links. Tokens are never logged: logs contain operations, not paths. */
export function createShareLinks(
  deps: Deps,
  fairQueue: FairQueue,
  noteDenial: RecordDenial,
): Middleware {
  const createCounts = () => ({
    link: new Map<string, number>(),
    address: new Map<string, number>(),
  });
  const runningCounts = { uploads: createCounts(), bytes: createCounts(), rest: createCounts() };
  const guesses = createGuessLimiter(deps.rateLimits);
  return async (ctx, next) => {
    if (!ctx.path.startsWith(sharePrefix)) return next();
    ctx.state.operation = 'useShare';
    ctx.set({ 'Referrer-Policy': 'same-origin', 'X-Robots-Tag': 'noindex' });
    const token = ctx.path.slice(sharePrefix.length).split('/')[0] ?? '';
    const shareRef = readShareToken(deps.signer, token);
    const linkPath = sharePrefix + token;
    const base = basePathOf(deps.settings.publicUrl) + linkPath;
    try {
      const target = shareRef && parseTarget(ctx.path.slice(linkPath.length));
      if (!shareRef || !target)
        throw new Problem('not_found', 'The link is incomplete or mistyped.');
      requireMethod(ctx, target);
      rejectCrossOriginChange(ctx);
      ctx.state.projectId = shareRef.projectId;
      const address = addressOf(deps, ctx);
      const kind = limitKindOf(target);
      const holders = { link: shareRef.id, address: networkOf(address) };
      for (const holderKind of ['address', 'link'] as const) {
        const counts = runningCounts[kind][holderKind];
        onceClosed(
          ctx.res,
          takeSlot(counts, holders[holderKind], maxConcurrent[kind][holderKind], holderKind),
        );
      }
      requireRate(
        deps,
        `share:${shareRef.id}:${holders.address}`,
        limits.share_requests_per_minute,
      );
      // Each archive records an event per file.
      if (target.kind === 'archive') {
        requireRate(deps, `share-archives:${shareRef.id}`, limits.share_archives_per_minute);
      }
      const client = { address, requestId: String(ctx.state.requestId) };
      const inShare: Visit['inShare'] = (work) =>
        fairQueue.run({ project: shareRef.projectId, key: shareRef.id }, workOf(target), () =>
          inTransaction(deps.database, async (tx) => {
            const share = await openShare(tx, shareRef, address);
            if (!share) throw shareClosed();
            return work(tx, share, visitorOrigin(share, client));
          }),
        );
      const visit: Visit = {
        ctx,
        deps,
        named: shareRef,
        base,
        target,
        from: client,
        guesses,
        inShare,
      };
      await serve(visit).catch(async (error: unknown) => {
        if (!(error instanceof PolicyDenied)) throw error;
        const actor = { type: 'share', id: shareRef.id } as const;
        await noteDenial(
          { projectId: shareRef.projectId, actor, ...client },
          error,
          'useShare',
        ).catch((reason: unknown) => {
          deps.logger.error({ err: reason }, 'denial could not be recorded');
        });
        // Visitors are outsiders, so policies are not disclosed to them.
        throw new Problem('policy_denied', 'A policy of the owner does not allow this.');
      });
    } catch (error) {
      const problem = toProblem(error);
      if (!problem || wantsJson(ctx) || ctx.res.headersSent) throw error;
      ctx.set(problem.headers);
      const backUrl = shareRef && problem.code !== 'share_closed' ? base : null;
      const page = problemPage(problem, String(ctx.state.requestId), backUrl);
      sendPage(ctx, problem.status, page);
    }
  };
}

async function serve(visit: Visit): Promise<void> {
  const { ctx, deps, base, target } = visit;
  if (target.kind === 'uploads') return receiveShareUpload(visit);
  if (ctx.method === 'POST') return enterShare(visit);
  const { share, isAdmitted } = await visit.inShare(async (_, found) => {
    const admitted = isVisiting(ctx, deps.signer, found) || hasGrant(visit, found);
    requireOpen(found, admitted);
    return { share: found, isAdmitted: admitted };
  });
  if (!isAdmitted) {
    if (needsEntry(share)) {
      if (wantsJson(ctx)) throw entryRequired(share);
      sendPage(ctx, target.kind === 'root' ? 200 : 403, entryPage(share, base, null));
      return;
    }
    if (ctx.method === 'GET' && visitKinds.has(target.kind)) {
      await visit.inShare(async (tx, currentShare) => {
        requireOpen(currentShare, false);
        if (needsEntry(currentShare) || !(await countUse(tx, currentShare, 'views')))
          throw shareClosed();
      });
      beginVisit(ctx, deps.signer, share, base);
    }
  }
  await showTarget(visit);
}

/** The requests that count as a visit. Pictures and downloads belong to a visit. */
const visitKinds: ReadonlySet<ShareTarget['kind']> = new Set(['root', 'collection', 'file']);

function requireMethod(ctx: Context, target: ShareTarget): void {
  const methods: Partial<Record<ShareTarget['kind'], string[]>> = {
    root: ['GET', 'HEAD', 'POST'],
    uploads: ['POST'],
  };
  const allowed = methods[target.kind] ?? ['GET', 'HEAD'];
  if (allowed.includes(ctx.method)) return;
  throw new Problem('method_not_allowed', `The method must be one of: ${allowed.join(', ')}.`, {
    headers: { Allow: allowed.join(', ') },
  });
}

/** @throws Problem 429 if a link is used too often */
function requireRate({ rateLimits }: Deps, name: string, max: number): void {
  const standing = rateLimits.take(name, 'read', max);
  if (standing.allowed) return;
  throw new Problem('rate_limited', 'Too many requests for this link. Wait a minute.', {
    headers: { 'Retry-After': String(standing.resetSeconds) },
  });
}
