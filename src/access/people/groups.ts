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
    const roles = new Map<string, Role>();
    for (const [group, name] of entriesOf(groups, project)) {
      const role = roleNames.find((one) => one === name);
      if (!role) throw new Error(`the role of '${group}' must be one of: ${roleNames.join(', ')}`);
      roles.set(group, role);
    }
    projects.set(project, roles);
  }
  return projects;
}

function entriesOf(value: unknown, label: string): [string, unknown][] {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return Object.entries(value);
  }
  throw new Error(`${label} must be a JSON object`);
}

/**
 * The role that the groups give in a project: the last in the order of roles if several apply; null if
 * none does.
 */
export function roleFor(
  groupRoles: ReadonlyMap<string, Role>,
  groups: readonly string[],
): Role | null {
  const granted = new Set(groups.map((group) => groupRoles.get(group)));
  return roleNames.filter((name) => granted.has(name)).at(-1) ?? null;
}
