import { codeOf, outermost } from './view.ts';

/** What a child may touch by Node's own rules, which is less than nothing against native code. */
type Touchable = {
  module: string;
  /** Files and folders it reads: models, programs, its box. */
  reads: readonly string[];
  writes: readonly string[];
  /** Whether it starts programs. */
  programs: boolean;
};

/** The name of Node's permission model in this version; null where it has none. */
export const permissionFlag =
  ['--permission', '--experimental-permission'].find((flag) =>
    process.allowedNodeEnvironmentFlags.has(flag),
  ) ?? null;

/**
 * Flags that keep JavaScript to some files. Workers and addons (libvips) are let through: no engine
 * runs without. It costs a child half a second to start, so it is for where the kernel does not help.
 */
export function permissionFlags({ module, reads, writes, programs }: Touchable): string[] {
  if (permissionFlag === null) return [];
  const known = (flag: string) => (process.allowedNodeEnvironmentFlags.has(flag) ? [flag] : []);
  return [
    permissionFlag,
    '--disable-warning=ExperimentalWarning',
    '--disable-warning=SecurityWarning',
    '--allow-worker',
    ...known('--allow-addons'),
    ...(programs ? ['--allow-child-process'] : []),
    // Node ends at a path that is named twice.
    ...outermost([...codeOf(module), ...reads, ...writes]).map((path) => `--allow-fs-read=${path}`),
    ...writes.map((path) => `--allow-fs-write=${path}`),
  ];
}
