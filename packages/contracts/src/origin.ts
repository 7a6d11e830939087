/**
 * `user` is a person; `share` is a visitor of a shared link; `service` is a neighbouring service, which
 * records events in SQL.
 */
export const actorTypes = [
  'api_key',
  'user',
  'share',
  'worker',
  'operator',
  'system',
  'service',
] as const;
type ActorType = (typeof actorTypes)[number];

/** The author of a change. */
export interface Actor {
  type: ActorType;
  id: string | null;
  /**
   * The name of a person or the title of a share at the time of the change, so that history stays
   * readable.
   */
  name?: string | null;
}

/** An actor as the API returns it. */
export function presentActor({ type, id, name = null }: Actor): Required<Actor> {
  return { type, id, name };
}

/** The source of a change: project, actor, IP address and request. */
export interface Origin {
  projectId: string;
  actor: Actor;
  address: string | null;
  requestId: string | null;
}

/** The origin of changes that no request caused. */
export function systemOrigin(projectId: string): Origin {
  return { projectId, actor: { type: 'system', id: null }, address: null, requestId: null };
}
