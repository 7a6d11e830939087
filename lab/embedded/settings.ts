import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The settings in `.data/dev.env`: for people and scripts, and values that must not change between
 * starts.
 */
export type DevSettings = Record<string, string>;

/** The name of the settings file in a data folder. */
export function settingsFile(dataDir: string): string {
  return join(dataDir, 'dev.env');
}

/** Reads the settings file; empty without one. */
export async function readSettings(dataDir: string): Promise<DevSettings> {
  const text = await readFile(settingsFile(dataDir), 'utf8').catch(() => '');
  return Object.fromEntries(
    [...text.matchAll(/^(?<name>[A-Z_]+)='?(?<value>[^'\n]*)'?$/gm)].map((match) => [
      match.groups?.name ?? '',
      match.groups?.value ?? '',
    ]),
  );
}

/** Writes settings that a shell can source, readable by the owner only, atomically. */
export async function writeSettings(dataDir: string, settings: DevSettings): Promise<void> {
  const lines = Object.entries(settings).map(([name, value]) => {
    if (/['\n]/.test(value)) throw new Error(`${name} contains a quote or a line break.`);
    return `${name}='${value}'`;
  });
  const draft = `${settingsFile(dataDir)}.${process.pid}`;
  await writeFile(
    draft,
    `# Written by script/server at each start; the secrets are kept.\n${lines.join('\n')}\n`,
    { mode: 0o600 },
  );
  await rename(draft, settingsFile(dataDir));
}

/** The secrets of an installation: the given ones, otherwise stored ones, otherwise new ones. */
export function resolveSecrets(
  env: NodeJS.ProcessEnv,
  stored: DevSettings,
): Record<'OPERATOR_PASSWORD' | 'SECRET_KEY' | 'SIGNING_KEY' | 'LOCAL_SIGN_IN_TOKEN', string> {
  const pick = (name: string, make: () => string): string => env[name] || stored[name] || make();
  return {
    OPERATOR_PASSWORD: pick('OPERATOR_PASSWORD', () => randomBytes(18).toString('base64url')),
    SECRET_KEY: pick('SECRET_KEY', () => randomBytes(32).toString('base64')),
    LOCAL_SIGN_IN_TOKEN: pick('LOCAL_SIGN_IN_TOKEN', () => randomBytes(24).toString('base64url')),
    SIGNING_KEY: pick('SIGNING_KEY', () => randomBytes(32).toString('base64')),
  };
}
