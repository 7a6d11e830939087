/** Who is behind a change: every event says so. */
interface Actor {
  type: 'api_key' | 'worker' | 'operator' | 'system';
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
