import { isId } from '@scriptorium/contracts/ids';
import { type Role, roleNames } from '@scriptorium/contracts/roles';

/** For each project, the roles of the identity provider's groups. */
export type GroupRoles = ReadonlyMap<string, ReadonlyMap<string, Role>>;

/**
 * Parses the setting that maps groups to roles: `{"prj_…": {"group": "role"}}`.
 * @throws Error with the reason
 */
export function parseGroupRoles(text: string): GroupRoles {
  const value: unknown = JSON.parse(text);
  const projects = new Map<string, Map<string, Role>>();
  for (const [project, groups] of entriesOf(value, 'the value')) {
    if (!isId('project', project)) throw new Error(`'${project}' is not a project identifier`);
    const own = new Map<string, Role>();
    for (const [group, name] of entriesOf(groups, project)) {
      const role = roleNames.find((one) => one === name);
      if (!role) throw new Error(`the role of '${group}' must be one of: ${roleNames.join(', ')}`);
      own.set(group, role);
    }
    projects.set(project, own);
  }
  return projects;
}

function entriesOf(value: unknown, what: string): [string, unknown][] {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return Object.entries(value);
  }
  throw new Error(`${what} must be a JSON object`);
}

/**
 * The role that the groups give in a project: the last in the order of roles if there are several;
 * null if none.
 */
export function roleFor(mapped: ReadonlyMap<string, Role>, groups: readonly string[]): Role | null {
  const given = new Set(groups.map((group) => mapped.get(group)));
  return roleNames.filter((name) => given.has(name)).at(-1) ?? null;
}
