import { codeFolders, outermost } from '../view.ts';

/** The access of a child under Node's permission model, which does not restrict native code. */
type Touchable = {
  module: string;
  /** Files and folders that it reads: models, programs, its box. */
  reads: readonly string[];
  writes: readonly string[];
  /** Whether it starts programs. */
  programs: boolean;
};

/** The flag of Node's permission model in this version; null if it has none. */
export const permissionFlag =
  ['--permission', '--experimental-permission'].find((flag) =>
    process.allowedNodeEnvironmentFlags.has(flag),
  ) ?? null;

/**
 * Flags that restrict JavaScript to some files. Workers and addons (libvips) are allowed, since
 * every engine needs them. It slows down the start of a child by half a second, so it is used only
 * where the kernel does not help.
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
    // Node exits if a path is named twice.
    ...outermost([...codeFolders(module), ...reads, ...writes]).map(
      (path) => `--allow-fs-read=${path}`,
    ),
    ...writes.map((path) => `--allow-fs-write=${path}`),
  ];
}
