import { join } from 'node:path';
import { checkout, run } from './run.ts';

/** The sources of the Python client, for PYTHONPATH. */
export const pythonSources = join(checkout, 'clients/python/src');

const isSupported = 'import sys; sys.exit(sys.version_info < (3, 10))';
/** Debian has `venv` in python3, but the pip that it installs in python3-venv. */
const buildsWheels = 'import ensurepip, sys, tomllib, venv';

/** Whether Python 3.10 or newer is installed. */
export const hasPython = (): Promise<boolean> => succeeds(isSupported);

/** Skips a test or hook on a machine without Python 3.10 or newer. */
export async function requirePython(test: Mocha.Context): Promise<void> {
  await requireModule(test, isSupported, 'Python 3.10 or newer (package python3)');
}

/** Skips a test or hook on a machine that cannot build wheels and install them. */
export async function requireVenv(test: Mocha.Context): Promise<void> {
  await requireModule(test, buildsWheels, 'Python 3.11 or newer with venv (package python3-venv)');
}

async function requireModule(test: Mocha.Context, program: string, name: string): Promise<void> {
  if (await succeeds(program)) return;
  console.warn(`Skipped: ${name} is not installed.`);
  test.skip();
}

async function succeeds(program: string): Promise<boolean> {
  const { code } = await run('python3', ['-c', program]).catch(() => ({ code: 1 }));
  return code === 0;
}
