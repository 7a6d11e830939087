import { type Static, Type } from 'typebox';
import { roleNames } from '../roles.ts';
import { Id, Nullable, Time } from './common.ts';
import { KeyRecord } from './keys.ts';
import { strictObject } from './shapes.ts';

const RoleName = Type.Enum([...roleNames]);

/** The person that a session belongs to. */
const SessionUser = strictObject({
  id: Id('user'),
  name: Nullable(Type.String()),
  role: RoleName,
});

/** A project that the person is a member of. */
const SessionProject = strictObject({ id: Id('project'), name: Type.String(), role: RoleName });

/**
 * A portal session of a key or a person. Every request that changes data must carry `csrf_token`.
 */
export const PortalSessionRecord = strictObject(
  {
    id: Type.String(),
    project_id: Id('project'),
    project_name: Type.String(),
    key: Nullable(KeyRecord),
    user: Nullable(SessionUser),
    scopes: Type.Array(Type.String()),
    projects: Type.Array(SessionProject, { description: 'Empty for a session of a key.' }),
    csrf_token: Type.String(),
    expires_at: Time,
  },
  { title: 'PortalSession' },
);
export type PortalSessionRecord = Static<typeof PortalSessionRecord>;

/** The caller's live sessions, most recently used first. */
export const PortalSessionList = strictObject({
  data: Type.Array(
    strictObject({
      id: Type.String(),
      project_id: Id('project'),
      current: Type.Boolean(),
      address: Nullable(Type.String()),
      user_agent: Nullable(Type.String()),
      created_at: Time,
      last_seen_at: Time,
      expires_at: Time,
    }),
  ),
});
export type PortalSessionList = Static<typeof PortalSessionList>;

/** The ways to sign in to the portal. */
export const SignInOptions = strictObject({ provider: Nullable(Type.String()) });
export type SignInOptions = Static<typeof SignInOptions>;
