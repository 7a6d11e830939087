import { findKey, presentKey } from '../../access/keys/read.ts';
import { PortalSessionRecord } from '../../contracts/wire/portal.ts';
import { noContent, ok } from '../frame/reply.ts';
import { type Route, streamRoute } from '../frame/route.ts';
import { type PortalSessions, sessionPath } from './session.ts';

const tag = 'Portal';

/** The routes of portal sessions. Everything else the portal does goes through /v1. */
export function portalRoutes(sessions: PortalSessions): Route[] {
  const begin = streamRoute({
    method: 'POST',
    path: sessionPath,
    operationId: 'beginPortalSession',
    tag,
    summary: 'Exchange the API key in the headers for a session.',
    scopes: [],
    idempotent: false,
    responses: { 200: PortalSessionRecord },
    secretResponse: true,
    handler: async (call) =>
      call.inProject(async (tx, identity) => {
        const session = await sessions.begin(tx, call.ctx, identity);
        const key = (await findKey(tx, identity.keyId))!;
        const body = {
          project_id: identity.projectId,
          key: presentKey(key),
          csrf_token: sessions.csrfTokenOf(session.id),
          expires_at: session.expiresAt.toISOString(),
        };
        return ok(body, { headers: { 'Set-Cookie': session.cookie } });
      }),
  });

  const show = streamRoute({
    method: 'GET',
    path: sessionPath,
    operationId: 'getPortalSession',
    tag,
    summary: 'Get the current session and its CSRF token.',
    scopes: [],
    responses: { 200: PortalSessionRecord },
    secretResponse: true,
    handler: async (call) => {
      const session = sessions.of(call.ctx);
      return call.inProject(async (tx, identity) =>
        ok({
          project_id: identity.projectId,
          key: presentKey((await findKey(tx, identity.keyId))!),
          csrf_token: sessions.csrfTokenOf(session.id),
          expires_at: session.expiresAt.toISOString(),
        }),
      );
    },
  });

  const end = streamRoute({
    method: 'DELETE',
    path: sessionPath,
    operationId: 'endPortalSession',
    tag,
    summary: 'End the current session.',
    scopes: [],
    responses: { 204: null },
    handler: async (call) =>
      call.inProject(async (tx, identity) =>
        noContent({ headers: { 'Set-Cookie': sessions.end(tx, call.ctx, identity) } }),
      ),
  });

  return [begin, show, end];
}
