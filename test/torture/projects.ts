import type { KnownProject } from './ledger.ts';

/** Makes the two projects of the model clients, and lifts the rates of their keys. */
export async function makeProjects(
  rows: (sql: string) => Promise<object[]>,
  make: (name: string) => Promise<Pick<KnownProject, 'id' | 'key'>>,
): Promise<KnownProject[]> {
  const projects: KnownProject[] = [];
  for (const name of ['north', 'south']) projects.push({ ...(await make(name)), name });
  await rows('UPDATE api_key SET read_per_minute = 1000000, write_per_minute = 1000000');
  return projects;
}
