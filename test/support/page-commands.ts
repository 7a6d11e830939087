import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkoutPrograms, runTypeScript } from '../../lab/embedded/programs.ts';
import { checkout, run } from './run.ts';

/** Returns the shell commands of a page, by their heading. */
export async function commandsOf(page: string): Promise<Map<string, string[]>> {
  const text = await readFile(join(checkout, page), 'utf8');
  const commands = new Map<string, string[]>();
  for (const section of text.split(/^## /m).slice(1)) {
    const heading = section.slice(0, section.indexOf('\n'));
    const blocks = [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block!);
    commands.set(heading, blocks);
  }
  return commands;
}

/** Replaces `admin` on the pages, from this checkout's sources. */
const command = [process.execPath, ...runTypeScript, checkoutPrograms.admin];
const admin = `admin() { ${command.map((part) => `"${part}"`).join(' ')} "$@"; }`;

/**
 * Runs commands as they stand on a page, in one shell that ends with the first that fails.
 * @param options.definitions what stands for `admin` and others; by default, this checkout's sources
 * @throws with what the shell said
 */
export async function runCommands(
  block: string,
  env: NodeJS.ProcessEnv,
  { definitions = admin, cwd = checkout } = {},
): Promise<string> {
  const result = await run('bash', ['-euo', 'pipefail', '-c', `${definitions}\n${block}`], {
    cwd,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
  });
  if (result.code !== 0) {
    throw new Error(`It ended with ${result.code}:\n${block}\n${result.stdout}\n${result.stderr}`);
  }
  return result.stdout;
}
