import { limits } from '@scriptorium/contracts/limits';
import { Problem } from '@scriptorium/contracts/problems';
import type { Context } from 'koa';
import { networkOf } from '../../access/addresses.ts';
import type { Share } from '../../entities/library/share.ts';
import { isPassword } from '../../library/shares/password.ts';
import { countUse } from '../../library/shares/use.ts';
import { departure } from '../connections/responses.ts';
import { allowBody } from '../requests/body.ts';
import { bodyBytes, hearOut } from '../uploads/bytes.ts';
import { sendPage, wantsJson } from './page.ts';
import type { Visit } from './serve.ts';
import { entryPage } from './views.ts';
import { beginVisit, closed, isVisiting, requireOpen } from './visit.ts';

const bodyLimit = 4 * 1024;
const bodyMs = 10_000;

/** Opens a link: checks its password, counts the visit and begins it. */
export async function enter(visit: Visit): Promise<void> {
  const { ctx, deps, base } = visit;
  const isPage = !wantsJson(ctx);
  const password = await readPassword(ctx).catch((error: unknown) => {
    hearOut(ctx.req, ctx.res);
    throw error;
  });
  const share = await visit.inShare(async (_, found) => {
    requireOpen(found, isVisiting(ctx, deps.signer, found));
    return found;
  });
  if (share.passwordHash !== null && !(await isRight(visit, share, password))) {
    const wrong = 'The password is incorrect.';
    if (!isPage) throw new Problem('share_entry_required', wrong);
    sendPage(ctx, 403, entryPage(share, base, wrong));
    return;
  }
  if (!isVisiting(ctx, deps.signer, share)) {
    await visit.inShare(async (tx, now) => {
      // The password may have been changed during the check.
      if (now.passwordHash !== share.passwordHash) throw closed('The link has changed. Try again.');
      if (!(await countUse(tx, now, 'views'))) {
        throw closed('The link was used as often as it allows.');
      }
    });
  }
  beginVisit(ctx, deps.signer, share, base);
  ctx.status = isPage ? 303 : 204;
  if (isPage) ctx.redirect(base);
}

/** Checks a password, slowly after many wrong ones from a network or for the link. */
function isRight(
  { ctx, guesses, named, from }: Visit,
  share: Share,
  password: string,
): Promise<boolean> {
  const hash = share.passwordHash ?? '';
  const of = `share ${share.id}`;
  const signal = departure(ctx.res);
  const network = networkOf(from.address);
  const party = { projectId: named.projectId, holder: of, network, signal };
  const check = () => isPassword(password, hash, party);
  // Counted for all networks together: a link has one password.
  const checkForAll = () => guesses.judge({ address: null, of, signal }, check);
  return guesses.judge({ address: from.address, of, signal }, checkForAll);
}

async function readPassword(ctx: Context): Promise<string> {
  const pieces: Buffer[] = [];
  allowBody(ctx.req, ctx.res);
  for await (const piece of bodyBytes(ctx.req, bodyLimit, { idleMs: bodyMs })) pieces.push(piece);
  const text = Buffer.concat(pieces).toString('utf8');
  const password = ctx.is('json') ? passwordIn(text) : new URLSearchParams(text).get('password');
  return (password ?? '').slice(0, limits.share_password_max_characters);
}

function passwordIn(text: string): string | null {
  try {
    const body: unknown = JSON.parse(text);
    const has = typeof body === 'object' && body !== null && 'password' in body;
    return has && typeof body.password === 'string' ? body.password : null;
  } catch {
    throw new Problem('malformed_json', 'The body is not valid JSON.');
  }
}
