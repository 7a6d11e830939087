import { notFound } from '@scriptorium/contracts/problems';
import { PortalSessionList, PortalSessionRecord } from '@scriptorium/contracts/wire/portal';
import { Type } from 'typebox';
import type { Identity } from '../../access/authenticate.ts';
import { findKey, presentKey } from '../../access/keys/read.ts';
import { projectsOf } from '../../access/people/sign-in.ts';
import { endSessions, listSessions } from '../../access/portal-sessions.ts';
import type { Tx } from '../../db/transaction.ts';
import { Project } from '../../entities/access/project.ts';
import { noContent, ok } from '../frame/reply.ts';
import { type Route, streamRoute } from '../frame/route.ts';
import { type PortalSessions, sessionPath, sessionsPath } from './session.ts';

const tag = 'Portal';

/** The routes of portal sessions. All other requests of the portal use /v1. */
export function portalRoutes(sessions: PortalSessions): Route[] {
  const present = async (
    tx: Tx,
    { caller, role, scopes }: Identity,
    session: ReturnType<PortalSessions['read']>,
  ): Promise<PortalSessionRecord> => {
    const [key, { name }, projects] = await Promise.all([
      role ? null : findKey(tx, caller.id),
      tx.findOneByOrFail(Project, { id: session.projectId }),
      role ? projectsOf(tx, caller.id) : [],
    ]);
    return {
      id: session.id,
      project_id: session.projectId,
      project_name: name,
      key: key && presentKey(key),
      user: role && { id: caller.id, name: caller.name ?? null, role },
      scopes: [...scopes],
      projects,
      csrf_token: sessions.csrfTokenOf(session),
      expires_at: session.expiresAt.toISOString(),
    };
  };

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
        const session = await sessions.begin(tx, call.ctx, identity, call.origin.address);
        const body = await present(tx, identity, session);
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
      const session = sessions.read(call.ctx);
      return call.inProject(async (tx, identity) => ok(await present(tx, identity, session)));
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

  const move = streamRoute({
    method: 'POST',
    path: `${sessionPath}/project/{id}`,
    operationId: 'movePortalSession',
    tag,
    summary: 'Continue the session of a person in another project that they are a member of.',
    scopes: [],
    params: { id: 'project' },
    idempotent: false,
    responses: { 204: null },
    handler: async (call) =>
      call.inProject(async (tx) => {
        const { cookie } = await sessions.move(tx, call.ctx, call.params.id);
        return noContent({ headers: { 'Set-Cookie': cookie } });
      }),
  });

  return [begin, show, end, move, ...listRoutes(sessions)];
}

/** The routes of the list of sessions. */
function listRoutes(sessions: PortalSessions): Route[] {
  const list = streamRoute({
    method: 'GET',
    path: sessionsPath,
    operationId: 'listPortalSessions',
    tag,
    summary: 'List the live sessions of the person, in all projects, or of the key.',
    scopes: [],
    responses: { 200: PortalSessionList },
    handler: async (call) => {
      const session = sessions.read(call.ctx);
      return call.inProject(async (tx) => {
        const rows = await listSessions(tx, session);
        const data = rows.map(({ created_at, last_seen_at, expires_at, ...rest }) => ({
          ...rest,
          current: rest.id === session.id,
          created_at: created_at.toISOString(),
          last_seen_at: last_seen_at.toISOString(),
          expires_at: expires_at.toISOString(),
        }));
        return ok({ data });
      });
    },
  });

  const endOne = streamRoute({
    method: 'DELETE',
    path: `${sessionsPath}/{id}`,
    operationId: 'endOnePortalSession',
    tag,
    summary: 'End a session of the person or key.',
    scopes: [],
    params: { id: Type.String({ maxLength: 100 }) },
    responses: { 204: null },
    handler: async (call) => {
      const session = sessions.read(call.ctx);
      const { id } = call.params;
      return call.inProject(async (tx) => {
        if ((await endSessions(tx, session, id)) === 0) throw notFound('session', id);
        return noContent(
          id === session.id ? { headers: { 'Set-Cookie': sessions.removeCookie(call.ctx) } } : {},
        );
      });
    },
  });

  const endAll = streamRoute({
    method: 'DELETE',
    path: sessionsPath,
    operationId: 'endAllPortalSessions',
    tag,
    summary: 'End all of these sessions, the current one included.',
    scopes: [],
    responses: { 204: null },
    handler: async (call) => {
      const session = sessions.read(call.ctx);
      return call.inProject(async (tx) => {
        await endSessions(tx, session, null);
        return noContent({ headers: { 'Set-Cookie': sessions.removeCookie(call.ctx) } });
      });
    },
  });

  return [list, endOne, endAll];
}
