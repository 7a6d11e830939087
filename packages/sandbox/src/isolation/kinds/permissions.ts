import { codeFolders, outermost } from '../view.ts';

/**
 * The access of a child under the Node.js permission model, which does not restrict native code.
 */
type PermittedAccess = {
  module: string;
  /** Files and folders that the child reads: models, programs and its box. */
  reads: readonly string[];
  writes: readonly string[];
  /** Whether the child starts programs. */
  programs: boolean;
};

/** The flag of the permission model in this Node.js version; null if it is not supported. */
export const permissionFlag =
  ['--permission', '--experimental-permission'].find((flag) =>
    process.allowedNodeEnvironmentFlags.has(flag),
  ) ?? null;

/**
 * Returns flags that restrict JavaScript to certain files. Workers and addons (libvips) are
 * allowed, because every engine needs them. The permission model delays the start of a child by
 * half a second, so it is used only if the kernel does not support isolation.
 */
export function permissionFlags({ module, reads, writes, programs }: PermittedAccess): string[] {
  if (permissionFlag === null) return [];
  const ifSupported = (flag: string) =>
    process.allowedNodeEnvironmentFlags.has(flag) ? [flag] : [];
  return [
    permissionFlag,
    '--disable-warning=ExperimentalWarning',
    '--disable-warning=SecurityWarning',
    '--allow-worker',
    ...ifSupported('--allow-addons'),
    ...(programs ? ['--allow-child-process'] : []),
    // Node.js exits if a path is given twice.
    ...outermost([...codeFolders(module), ...reads, ...writes]).map(
      (path) => `--allow-fs-read=${path}`,
    ),
    ...writes.map((path) => `--allow-fs-write=${path}`),
  ];
}
