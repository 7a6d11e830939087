import { limits } from '@scriptorium/contracts/limits';
import { Problem } from '@scriptorium/contracts/problems';
import type { Context } from 'koa';
import { networkOf } from '../../access/ip-addresses.ts';
import type { Share } from '../../entities/library/share.ts';
import { verifyPassword } from '../../library/shares/password.ts';
import { countUse } from '../../library/shares/use.ts';
import { disconnectSignal } from '../connections/responses.ts';
import { sendContinue } from '../requests/body.ts';
import { discardBody, readBody } from '../uploads/bytes.ts';
import { sendPage, wantsJson } from './page.ts';
import type { Visit } from './serve.ts';
import { entryPage } from './views.ts';
import { beginVisit, isVisiting, requireOpen, shareClosed } from './visit.ts';

const maxBodyBytes = 4 * 1024;
const bodyMs = 10_000;

/** Opens a link: checks its password, counts the visit and starts it. */
export async function enterShare(visit: Visit): Promise<void> {
  const { ctx, deps, base } = visit;
  const isPage = !wantsJson(ctx);
  const password = await readPassword(ctx).catch((error: unknown) => {
    discardBody(ctx.req, ctx.res);
    throw error;
  });
  const share = await visit.inShare(async (_, found) => {
    requireOpen(found, isVisiting(ctx, deps.signer, found));
    return found;
  });
  if (share.passwordHash !== null && !(await isCorrectPassword(visit, share, password))) {
    const detail = 'The password is incorrect.';
    if (!isPage) throw new Problem('share_entry_required', detail);
    sendPage(ctx, 403, entryPage(share, base, detail));
    return;
  }
  if (!isVisiting(ctx, deps.signer, share)) {
    await visit.inShare(async (tx, currentShare) => {
      // The password may have been changed during the check.
      if (currentShare.passwordHash !== share.passwordHash)
        throw shareClosed('The link has changed. Try again.');
      if (!(await countUse(tx, currentShare, 'views'))) {
        throw shareClosed('The link has reached its maximum number of visits.');
      }
    });
  }
  beginVisit(ctx, deps.signer, share, base);
  ctx.status = isPage ? 303 : 204;
  if (isPage) ctx.redirect(base);
}

/** Checks a password. Slows down after many wrong passwords from a network or for the link. */
function isCorrectPassword(
  { ctx, guesses, named, from }: Visit,
  share: Share,
  password: string,
): Promise<boolean> {
  const hash = share.passwordHash ?? '';
  const subject = `share ${share.id}`;
  const signal = disconnectSignal(ctx.res);
  const network = networkOf(from.address);
  const party = { projectId: named.projectId, holder: subject, network, signal };
  const check = () => verifyPassword(password, hash, party);
  // Also counted for all networks together, since a link has only one password.
  const checkForAll = () => guesses.check({ address: null, of: subject, signal }, check);
  return guesses.check({ address: from.address, of: subject, signal }, checkForAll);
}

async function readPassword(ctx: Context): Promise<string> {
  const chunks: Buffer[] = [];
  sendContinue(ctx.req, ctx.res);
  for await (const piece of readBody(ctx.req, maxBodyBytes, { idleMs: bodyMs })) chunks.push(piece);
  const text = Buffer.concat(chunks).toString('utf8');
  const password = ctx.is('json')
    ? readJsonPassword(text)
    : new URLSearchParams(text).get('password');
  return (password ?? '').slice(0, limits.share_password_max_characters);
}

function readJsonPassword(text: string): string | null {
  try {
    const body: unknown = JSON.parse(text);
    const hasPassword = typeof body === 'object' && body !== null && 'password' in body;
    return hasPassword && typeof body.password === 'string' ? body.password : null;
  } catch {
    throw new Problem('malformed_json', 'The body is not valid JSON.');
  }
}
