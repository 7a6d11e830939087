/** `service` is a neighbouring one, which records in SQL. */
export const actorTypes = ['api_key', 'worker', 'operator', 'system', 'service'] as const;
export type ActorType = (typeof actorTypes)[number];

/** Who is behind a change: every event says so. */
interface Actor {
  type: ActorType;
  id: string | null;
}

/** Where a change comes from: the project, who, from which address, in which request. */
export interface Origin {
  projectId: string;
  actor: Actor;
  address: string | null;
  requestId: string | null;
}

/** The origin of what the service does of itself. */
export function systemOrigin(projectId: string): Origin {
  return { projectId, actor: { type: 'system', id: null }, address: null, requestId: null };
}
