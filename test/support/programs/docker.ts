import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse } from 'yaml';
import { checkoutPrograms, runTypeScript } from '../../../lab/embedded/programs.ts';
import { checkout } from '../run.ts';

/**
 * Stands for `docker` on a machine without an engine: `docker compose run --rm SERVICE …` and
 * `docker compose exec -T SERVICE …` run a command here with exactly what docker-compose.yml gives
 * the service, its environment, its volumes (as folders of COMPOSE_VOLUMES) and Postgres at
 * COMPOSE_POSTGRES (host:port). Fails for a file URL that no volume covers, since the containers
 * are read-only.
 */
interface Service {
  environment?: Record<string, string | number>;
  volumes?: string[];
  entrypoint?: string[];
  command?: string[];
  networks: string[];
}

const [compose, verb, flag, name = '', ...commandArguments] = process.argv.slice(2);
if (compose !== 'compose' || !['run --rm', 'exec -T'].includes(`${verb} ${flag}`)) {
  throw new Error(`Nothing stands for 'docker ${process.argv.slice(2).join(' ')}'.`);
}
const text = readFileSync(join(checkout, 'docker-compose.yml'), 'utf8');
const { services }: { services: Record<string, Service> } = parse(text, { merge: true });
const service = services[name];
if (!service) throw new Error(`docker-compose.yml has no service '${name}'.`);

/** Fills in variables, as Compose does. */
const expandVariables = (value: string): string =>
  value.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, variable: string, sign, rest: string) => {
    const found = process.env[variable] ?? '';
    if (found === '' && sign === '?') throw new Error(`${variable}: ${rest}`);
    return found || (sign === '-' ? rest : '');
  });
const folder = process.env.COMPOSE_VOLUMES ?? '';
const mounts = (service.volumes ?? []).map((volume) => {
  const [source = '', target = ''] = expandVariables(volume).split(':');
  return { target, path: posix.isAbsolute(source) ? source : join(folder, source) };
});
/** Converts a URL of the containers' network to one of this machine. */
const toLocal = (value: string): string => {
  const url = value.replace(/@(?:postgres:5432|localhost)\//, `@${process.env.COMPOSE_POSTGRES}/`);
  if (!url.startsWith('file://')) return url;
  const path = new URL(url).pathname;
  const mount = mounts.find(({ target }) => path === target || path.startsWith(`${target}/`));
  if (!mount) throw new Error(`${path} is on no volume of the service '${name}'.`);
  return pathToFileURL(join(mount.path, path.slice(mount.target.length))).href;
};
const environment = Object.entries(service.environment ?? {}).map(([variable, value]) => [
  variable,
  toLocal(expandVariables(String(value))),
]);
const commandLine = [
  ...(service.entrypoint ?? []),
  ...(commandArguments.length > 0 ? commandArguments : (service.command ?? [])),
];
const isAdmin = commandLine[0] === 'node' && commandLine[1] === 'dist/admin.js';
const [command = '', ...args] = isAdmin
  ? [
      process.execPath,
      ...runTypeScript,
      checkoutPrograms.admin,
      ...commandLine.slice(2).map(toLocal),
    ]
  : commandLine.map(toLocal);
const child = spawn(command, args, {
  cwd: checkout,
  stdio: 'inherit',
  env: {
    PATH: process.env.PATH,
    ...(verb === 'run' && Object.fromEntries(environment)),
    // Nothing hears there, as on a machine whose Redis has not started.
    ...(verb === 'run' && { REDIS_URL: 'redis://127.0.0.1:1' }),
  },
});
child.once('close', (code) => {
  process.exitCode = code ?? 1;
});
