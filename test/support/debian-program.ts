import { dirname, join } from 'node:path';
import { fetchDebianPackages, hasDebianTools } from '../../lab/embedded/debian.ts';
import { librariesIn } from '../../lab/embedded/redis/libraries.ts';
import { StartError } from '../../lab/embedded/start-error.ts';
import { checkout, run } from './run.ts';

/** A program that a test starts. */
export interface Program {
  path: string;
  /** Where it finds its libraries. */
  env: Record<string, string>;
  /** The folder of the unpacked package that it is in. */
  unpacked?: string;
}

/** A program of a Debian package. */
interface ProgramPackage {
  /** Of the package, and of the program. */
  name: string;
  /** In the package. */
  folder: 'usr/bin' | 'usr/sbin';
  /** An argument with which it only says its version. */
  version: string;
}

/**
 * Returns the program on PATH, or Debian's, unpacked into the checkout; null if neither is
 * available.
 */
export async function findProgram(wanted: ProgramPackage): Promise<Program | null> {
  const unpacked = join(checkout, '.data', 'packages', wanted.name);
  for (const program of [{ path: wanted.name, env: {} }, await programIn(unpacked, wanted)]) {
    if (await canRun(program, wanted)) return program;
  }
  if (!(await hasDebianTools())) return null;
  try {
    await fetchDebianPackages({ packages: [wanted.name], target: unpacked });
  } catch (error) {
    if (error instanceof StartError) return null;
    throw error;
  }
  const fetched = await programIn(unpacked, wanted);
  return (await canRun(fetched, wanted)) ? fetched : null;
}

/** Programs of users, each of the package of its name; null unless all are found. */
export async function findPrograms(...names: string[]): Promise<Program[] | null> {
  const programs: Program[] = [];
  for (const name of names) {
    const program = await findProgram({ name, folder: 'usr/bin', version: '--version' });
    if (!program) return null;
    programs.push(program);
  }
  return programs;
}

/** An environment in which a shell finds these programs. */
export function withPrograms(
  programs: readonly Program[],
  baseEnv: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  const env = { ...baseEnv };
  for (const { path, env: libraries, unpacked } of programs) {
    if (!unpacked) continue;
    env.PATH = `${dirname(path)}:${env.PATH}`;
    for (const [name, value] of Object.entries(libraries)) {
      env[name] = env[name] ? `${value}:${env[name]}` : value;
    }
  }
  return env;
}

/** The program in an unpacked package. */
export async function programIn(
  unpacked: string,
  { name, folder }: Pick<ProgramPackage, 'name' | 'folder'>,
): Promise<Program> {
  return { path: join(unpacked, folder, name), env: await librariesIn(unpacked), unpacked };
}

async function canRun({ path, env }: Program, { version }: ProgramPackage): Promise<boolean> {
  const { code } = await run(path, [version], { env: { PATH: process.env.PATH, ...env } }).catch(
    () => ({ code: 1 }),
  );
  return code === 0;
}
