import { localPerson } from '../../src/access/people/local-person.ts';
import { type Programs, runAdminProgram } from './programs.ts';
import type { Progress } from './progress.ts';
import { statusOf } from './ready.ts';
import type { DevSettings } from './settings.ts';

/** The project and key that the stack creates for its user. */
export type Access = { PROJECT_ID: string; API_KEY: string };

/** The project and key of the last start, if any. */
export function storedAccess({ PROJECT_ID, API_KEY }: DevSettings): Access | undefined {
  return PROJECT_ID && API_KEY ? { PROJECT_ID, API_KEY } : undefined;
}

/**
 * Keeps the project and key of the last start while the service still accepts them; otherwise
 * creates new ones.
 */
export async function ensureProject(
  programs: Programs,
  serviceUrl: string,
  settings: DevSettings,
  env: NodeJS.ProcessEnv,
  progress: Progress,
): Promise<Access> {
  const stored = storedAccess(settings);
  if (stored) {
    const status = await statusOf(`${serviceUrl}/v1/limits`, { headers: headersOf(stored) });
    if (status !== 401 && status !== 403) return stored;
  }
  return makeProject(programs, env, progress);
}

/**
 * Makes the local person an admin of the project, unless they are a member already.
 * @returns the link that signs them in
 */
export async function ensureLocalPerson(
  serviceUrl: string,
  access: Access,
  token: string,
  progress: Progress,
): Promise<string> {
  const status = await progress.during('adding the local person', (step) =>
    step.pollUntil(async () => {
      const found = await statusOf(`${serviceUrl}/v1/members`, {
        method: 'POST',
        headers: { ...headersOf(access), 'Content-Type': 'application/json' },
        body: JSON.stringify({ ...localPerson, role: 'admin' }),
      });
      // Temporarily too busy.
      return found === 503 ? undefined : found;
    }),
  );
  const isMember = status === 201 || status === 409;
  if (!isMember) throw new Error(`The local person could not be added: ${status}.`);
  return `${serviceUrl}/portal/sign-in/local?token=${token}`;
}

function headersOf({ PROJECT_ID, API_KEY }: Access): Record<string, string> {
  return { Authorization: `Bearer ${API_KEY}`, 'X-Service-Project-ID': PROJECT_ID };
}

/** Creates a project and its first key by the command line. */
export async function makeProject(
  programs: Programs,
  env: NodeJS.ProcessEnv,
  progress: Progress,
): Promise<Access> {
  const command = ['project', 'create', 'Development', '--json'];
  const output = await progress.during('creating a project', (step) =>
    runAdminProgram(programs.admin, command, env, step),
  );
  const created: unknown = JSON.parse(output.trim().split('\n').at(-1) ?? '');
  if (
    typeof created === 'object' &&
    created !== null &&
    'project_id' in created &&
    'api_key' in created &&
    typeof created.project_id === 'string' &&
    typeof created.api_key === 'string'
  ) {
    return { PROJECT_ID: created.project_id, API_KEY: created.api_key };
  }
  throw new Error("'admin project create --json' did not print {project_id, api_key}.");
}
