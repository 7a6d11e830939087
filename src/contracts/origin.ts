/** Who is behind a change: every event says so. */
export interface Actor {
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
