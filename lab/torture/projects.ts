import type { KnownProject } from './ledger.ts';

const names = ['north', 'south'] as const;

/** The parts of a text that belong to another project: its identifier or a name in it. */
export function findForeignText(
  text: string,
  { id, name }: Pick<KnownProject, 'id' | 'name'>,
): string | undefined {
  const others = names.filter((other) => other !== name).join('|');
  const found = text.match(new RegExp(`\\bprj_[0-9a-z]{26}\\b|(${others})-\\d+-\\d+`, 'g')) ?? [];
  return found.find((one) => one !== id);
}

/** Creates the two projects of the model clients, and raises the rate limits of their keys. */
export async function makeProjects(
  rows: (sql: string) => Promise<object[]>,
  make: (name: string) => Promise<Pick<KnownProject, 'id' | 'key'>>,
): Promise<KnownProject[]> {
  const projects: KnownProject[] = [];
  for (const name of names) projects.push({ ...(await make(name)), name });
  await rows('UPDATE api_key SET read_per_minute = 1000000, write_per_minute = 1000000');
  return projects;
}
