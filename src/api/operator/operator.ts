import { createHash, timingSafeEqual } from 'node:crypto';
import { Problem } from '@scriptorium/contracts/problems';
import type Koa from 'koa';
import type { Context } from 'koa';
import { createGuessLimiter } from '../../access/guesses.ts';
import { postgresTime } from '../../db/postgres-time.ts';
import { inReadTransaction, inTransaction } from '../../db/transaction.ts';
import { endPause, isQueuePaused, pauseQueue } from '../../outbox/pause.ts';
import { createBoard, type Pauses } from '../../queues/board.ts';
import { disconnectSignal } from '../connections/responses.ts';
import type { Deps } from '../deps.ts';
import { cookieHeader, readCookie } from '../frame/responses/cookie.ts';
import { declaredLength } from '../requests/body.ts';
import { addressOf } from '../requests/headers.ts';
import { rejectCrossOriginChange } from '../requests/same-site.ts';

const boardPath = '/admin/queues';
const loginPath = '/admin/login';
const operatorCookie = {
  name: 'operator',
  prefix: '__Host-',
  path: '/admin',
  sameSite: 'Strict',
} as const;
const sessionHours = 12;

/**
 * Pages for the operator: the queue board under `/admin/queues`, and `/metrics`. Both require
 * OPERATOR_PASSWORD to be set. The operator logs in with a form and gets a cookie, or sends the
 * password with each request (Basic, any user name), as metrics scrapers do.
 */
export function mountOperator(app: Koa, deps: Deps): void {
  const { operatorPassword } = deps.settings;
  if (operatorPassword === null) return;
  const session = createSession(deps, operatorPassword);
  const board = deps.queues
    ? createBoard(deps.queues, {
        basePath: boardPath,
        writable: deps.settings.isBoardWritable,
        pauses: createPauses(deps),
      })
    : null;
  app.use(async (ctx, next) => {
    if (ctx.path === '/metrics') return serveMetrics(ctx, deps, session);
    if (ctx.path !== '/admin' && !ctx.path.startsWith('/admin/')) return next();
    ctx.state.operation = 'operator';
    // The board may load nothing from other origins and must not be framed.
    ctx.set(
      'Content-Security-Policy',
      "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; form-action 'self'; base-uri 'self'",
    );
    ctx.set('Referrer-Policy', 'same-origin');
    rejectCrossOriginChange(ctx);
    if (ctx.path === loginPath) return logIn(ctx, session);
    if (ctx.path === '/admin/logout' && ctx.method === 'POST') {
      session.end(ctx);
      return ctx.redirect(loginPath);
    }
    if (!(await session.isLoggedIn(ctx))) {
      if (ctx.method === 'GET' && ctx.accepts('html', 'json') === 'html') {
        return ctx.redirect(loginPath);
      }
      throw passwordRequired();
    }
    if (!board || (ctx.path !== boardPath && !ctx.path.startsWith(`${boardPath}/`))) return next();
    const isSafe = ctx.method === 'GET' || ctx.method === 'HEAD';
    if (!isSafe && !deps.settings.isBoardWritable) {
      throw new Problem(
        'method_not_allowed',
        'The board is read-only. Set BOARD_WRITABLE to allow changes.',
        {
          headers: { Allow: 'GET, HEAD' },
        },
      );
    }
    if (deps.redis?.status !== 'ready') {
      throw new Problem(
        'dependency_unavailable',
        'The board is unavailable because Redis cannot be reached.',
        {
          headers: { 'Retry-After': '2' },
        },
      );
    }
    return board(ctx as never, next);
  });
}

/** The pauses of queues, in Postgres. */
function createPauses({ database }: Deps): Pauses {
  return {
    isPaused: (queue) => inReadTransaction(database, (tx) => isQueuePaused(tx, queue)),
    async pause(queue) {
      await inTransaction(database, (tx) => pauseQueue(tx, queue, 'paused on the board'));
    },
    async resume(queue) {
      await inTransaction(database, (tx) => endPause(tx, queue));
    },
  };
}

function passwordRequired(): Problem {
  const detail = 'Send the operator password with Basic authentication.';
  return new Problem('authentication_required', detail, {
    headers: { 'WWW-Authenticate': 'Basic realm="operator", charset="UTF-8"' },
  });
}

/** The metrics of this process, for the operator's scraper. */
async function serveMetrics(ctx: Context, deps: Deps, session: Session): Promise<void> {
  ctx.state.operation = 'metrics';
  if (!(await session.isLoggedIn(ctx))) throw passwordRequired();
  ctx.set('Content-Type', deps.metrics.contentType);
  ctx.body = await deps.metrics.metrics();
}

/** The maximum size of a login form, and how long it may take to arrive. */
const formBytes = 4 * 1024;
const formMs = 10_000;

/** The password in the login form; empty for any other body. */
async function readPassword(ctx: Context): Promise<string> {
  const declaredBytes = declaredLength(ctx.req);
  if (declaredBytes === null || declaredBytes > formBytes) {
    const detail = `The form must have a Content-Length of at most ${formBytes} bytes.`;
    throw new Problem('payload_too_large', detail);
  }
  const timer = setTimeout(() => ctx.req.destroy(), formMs);
  try {
    const { koaBody } = await import('koa-body');
    const parse = koaBody({ urlencoded: true, json: false, text: false, formLimit: formBytes });
    await parse(ctx as never, async () => undefined);
  } finally {
    clearTimeout(timer);
  }
  const form: unknown = ctx.request.body;
  const isForm = typeof form === 'object' && form !== null && 'password' in form;
  return isForm && typeof form.password === 'string' ? form.password : '';
}

async function logIn(ctx: Context, session: Session): Promise<void> {
  if (ctx.method === 'GET' || ctx.method === 'HEAD') {
    sendLoginForm(ctx, null);
    return;
  }
  if (ctx.method !== 'POST') {
    throw new Problem('method_not_allowed', 'This path allows GET, HEAD, POST.', {
      headers: { Allow: 'GET, HEAD, POST' },
    });
  }
  if (await session.start(ctx, await readPassword(ctx))) {
    ctx.redirect(boardPath);
    return;
  }
  ctx.status = 401;
  sendLoginForm(ctx, 'The password is incorrect.');
}

function sendLoginForm(ctx: Context, message: string | null): void {
  const status = ctx.status === 401 ? 401 : 200;
  ctx.type = 'html';
  ctx.body = `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Scriptorium: operator</title>
<style>body{font:16px system-ui;margin:15vh auto;max-width:20rem;padding:0 1rem}input,button{font:inherit;width:100%;box-sizing:border-box;padding:.5rem;margin:.25rem 0}</style>
<h1>Operator</h1>${message ? `<p role="alert">${message}</p>` : ''}
<form method="post" action="${loginPath}">
<label>Password <input name="password" type="password" autocomplete="current-password" required autofocus></label>
<button>Log in</button></form></html>`;
  ctx.status = status;
}

interface Session {
  isLoggedIn(ctx: Context): Promise<boolean>;
  /** Checks the password and, if it is correct, sets the cookie. */
  start(ctx: Context, password: string): Promise<boolean>;
  end(ctx: Context): void;
}

function createSession(deps: Deps, operatorPassword: string): Session {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  const passwordHash = hash(operatorPassword);
  // Changing the password ends all sessions.
  const purpose = `operator:${passwordHash.toString('base64url').slice(0, 8)}`;

  const guesses = createGuessLimiter(deps.rateLimits);
  const isCorrectPassword = (ctx: Context, password: string): Promise<boolean> => {
    const guess = {
      address: addressOf(deps, ctx),
      of: 'operator',
      signal: disconnectSignal(ctx.res),
    };
    return guesses.check(guess, () => timingSafeEqual(hash(password), passwordHash));
  };

  return {
    async isLoggedIn(ctx) {
      const token = readCookie(ctx, operatorCookie);
      const expiresAt = token ? deps.signer.verify(purpose, token) : null;
      if (expiresAt !== null && Number(expiresAt) > postgresTime()) return true;
      const basic = /^Basic ([\w+/=-]+)$/i.exec(ctx.get('Authorization'))?.[1];
      if (basic === undefined) return false;
      const pair = Buffer.from(basic, 'base64').toString('utf8');
      return isCorrectPassword(ctx, pair.slice(pair.indexOf(':') + 1));
    },
    async start(ctx, password) {
      if (!(await isCorrectPassword(ctx, password))) return false;
      const seconds = sessionHours * 3_600;
      const token = deps.signer.sign(purpose, String(postgresTime() + seconds * 1_000));
      ctx.append(
        'Set-Cookie',
        cookieHeader({ ...operatorCookie, value: token, maxAge: seconds, secure: ctx.secure }),
      );
      return true;
    },
    end(ctx) {
      ctx.append(
        'Set-Cookie',
        cookieHeader({ ...operatorCookie, value: '', maxAge: 0, secure: ctx.secure }),
      );
    },
  };
}
