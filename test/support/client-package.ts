import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { checkout, run } from './run.ts';

/** Packs the client and returns the path of the archive. Its build is a script, which .npmrc turns off. */
export async function packClient(folder: string): Promise<string> {
  const packed = await run(
    'npm',
    ['pack', '--silent', '--ignore-scripts=false', '--pack-destination', folder],
    {
      cwd: join(checkout, 'packages/client'),
      env: withoutNpm(process.env),
    },
  );
  if (packed.code !== 0) throw new Error(`npm pack failed: ${packed.stdout}${packed.stderr}`);
  const name = (await readdir(folder)).find((file) => file.endsWith('.tgz'));
  if (!name) throw new Error(`npm pack made no archive: ${packed.stdout}`);
  return join(folder, name);
}

/** Without what `npx mocha` passes on, such as the checkout's own `ignore-scripts`. */
export function withoutNpm(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^npm_/i.test(name)));
}

/** Unpacks the client where `import '@scriptorium/client'` finds it from a folder. */
export async function unpackClient(archive: string, folder: string): Promise<void> {
  const target = join(folder, 'node_modules/@scriptorium/client');
  await mkdir(target, { recursive: true });
  const unpacked = await run('tar', ['-xzf', archive, '-C', target, '--strip-components=1']);
  if (unpacked.code !== 0) throw new Error(`tar failed: ${unpacked.stderr}`);
}
