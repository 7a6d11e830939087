import { idPattern } from '@scriptorium/contracts/ids';
import { Problem } from '@scriptorium/contracts/problems';
import type { Context, Middleware } from 'koa';
import type { FairQueue } from '../../access/fair-queue.ts';
import { networkOf } from '../../access/ip-addresses.ts';
import { postgresTime } from '../../db/postgres-time.ts';
import { inProject } from '../../db/transaction.ts';
import { findKey } from '../../jobs/certificates/keys.ts';
import type { Deps } from '../deps.ts';
import { publicOrigin } from '../downloads/signed-urls.ts';
import { requireGetOrHead } from '../downloads/static-files.ts';
import { addressOf } from '../requests/headers.ts';
import { readAssets, renderPage } from './page.ts';
import { verifyPath } from './path.ts';

const copyPath = `${verifyPath}/offline.html`;
/** The maximum number of requests of a network per minute. */
const maxRequestsPerMinute = 120;
const projectPattern = new RegExp(idPattern('project'));

/**
 * Serves `/verify`: a page that verifies certificates in the browser, and a copy of it to keep. Both
 * need no key. With `project`, they contain the public keys of a project, so that the page sends
 * nothing once it is loaded.
 */
export function createVerifyPage(deps: Deps, fairQueue: FairQueue): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== verifyPath && ctx.path !== copyPath) return next();
    ctx.state.operation = 'verify';
    requireGetOrHead(ctx);
    const assets = await readAssets();
    const project = readProject(ctx);
    requireRate(deps, ctx);
    const isCopy = ctx.path === copyPath;
    const page = renderPage(assets, {
      origin: publicOrigin(deps.settings, ctx.req.headers),
      published: project === null ? null : await readPublished(deps, fairQueue, project),
      savedAt: isCopy ? new Date(postgresTime()).toISOString().slice(0, 10) : null,
    });
    ctx.set({
      'Content-Security-Policy': `${assets.policy}; frame-ancestors 'none'`,
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex',
    });
    if (isCopy) ctx.set('Content-Disposition', 'attachment; filename="verify.html"');
    ctx.body = page;
    ctx.set('Content-Type', 'text/html; charset=utf-8');
  };
}

/** @throws Problem 400 unless `project` is missing or the identifier of a project */
function readProject({ query: { project } }: Context): string | null {
  if (project === undefined) return null;
  if (typeof project === 'string' && projectPattern.test(project)) return project;
  throw new Problem('invalid_parameter', '`project` must be the identifier of a project.');
}

function requireRate({ rateLimits, settings }: Deps, ctx: Context): void {
  const name = `verify:${networkOf(addressOf({ settings }, ctx))}`;
  const { allowed, resetSeconds } = rateLimits.take(name, 'read', maxRequestsPerMinute);
  if (allowed) return;
  throw new Problem('rate_limited', 'Too many requests for this page. Wait a minute.', {
    headers: { 'Retry-After': String(resetSeconds) },
  });
}

/** The published keys of a project; none if it is unknown, like a project without certificates. */
async function readPublished(deps: Deps, fairQueue: FairQueue, projectId: string) {
  const key = await fairQueue.run({ project: projectId, key: 'verify' }, 'quick', () =>
    inProject(deps.database, projectId, (tx) => findKey(tx, projectId)),
  );
  return { projectId, keys: key ? [{ public_key: key.publicKey }] : [] };
}
