// Builds dist with the compiler of the repository that contains this package.
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const packageDir = import.meta.dirname ?? new URL('.', import.meta.url).pathname;
const compiler = join(packageDir, '../../node_modules/typescript/bin/tsc');
if (!existsSync(compiler)) {
  console.error('Run script/setup in the repository first: the client is built with its compiler.');
  process.exit(1);
}
rmSync(join(packageDir, 'dist'), { recursive: true, force: true });
const { status } = spawnSync(process.execPath, [compiler, '-p', packageDir], { stdio: 'inherit' });
process.exit(status ?? 1);
