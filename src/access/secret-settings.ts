import { closeSync, readFileSync } from 'node:fs';

/** The settings that are URLs of databases. */
export const databaseUrls = [
  'DATABASE_URL',
  'DATABASE_SESSION_URL',
  'DATABASE_OWNER_URL',
  'DATABASE_WORKER_URL',
  'DATABASE_RELAY_URL',
  'DATABASE_NEIGHBOUR_URL',
  'DATABASE_SUPERUSER_URL',
] as const;

/** Settings that are secrets, or URLs that contain one. */
const secretSettings = [
  ...databaseUrls,
  'REDIS_URL',
  'SECRET_KEY',
  'SIGNING_KEY',
  'OPERATOR_PASSWORD',
  'OIDC_CLIENT_SECRET',
  'RECOGNISER_URL',
  'EMBEDDINGS_API_KEY',
  'LOCAL_SIGN_IN_TOKEN',
] as const;

/**
 * The settings of this process: its environment, and one line `NAME=value` for each setting from the
 * descriptor `SETTINGS_FD`. Secrets are removed from `env`, so that nothing started later inherits them.
 * /proc/<pid>/environ still shows the initial environment, so only settings from the descriptor never
 * appear there.
 * @throws Error if the descriptor cannot be read
 */
export function takeSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const settings = { ...env, ...readDescriptor(env.SETTINGS_FD) };
  delete env.SETTINGS_FD;
  for (const name of secretSettings) delete env[name];
  return settings;
}

/** Settings as two parts: what may be in an environment, and lines for `SETTINGS_FD`. */
export function splitSettings(settings: NodeJS.ProcessEnv): {
  env: NodeJS.ProcessEnv;
  secrets: string;
} {
  const env = { ...settings };
  let secrets = '';
  for (const name of secretSettings) {
    const value = env[name];
    delete env[name];
    if (value !== undefined) secrets += `${name}=${value}\n`;
  }
  return { env, secrets };
}

function readDescriptor(setting: string | undefined): NodeJS.ProcessEnv {
  if (!setting) return {};
  const descriptor = Number(setting);
  if (!Number.isInteger(descriptor) || descriptor < 0) {
    throw new Error(`SETTINGS_FD must be the number of an open file descriptor, not '${setting}'.`);
  }
  let text: string;
  try {
    text = readFileSync(descriptor, 'utf8');
    closeSync(descriptor);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`SETTINGS_FD is ${setting}, which cannot be read: ${reason}.`);
  }
  const settings: NodeJS.ProcessEnv = {};
  for (const line of text.split('\n')) {
    const [, name, value] = /^([A-Z][A-Z0-9_]*)=(.*)$/.exec(line) ?? [];
    if (name !== undefined) settings[name] = value;
    else if (line.trim() !== '') {
      // The line is not repeated: it may be a secret.
      throw new Error('SETTINGS_FD has a line that is not of the form NAME=value.');
    }
  }
  return settings;
}
