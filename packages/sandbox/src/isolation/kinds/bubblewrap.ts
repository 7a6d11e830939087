import type { Box } from '../box.ts';
import { findProgram, foldersOf } from '../programs.ts';
import type { FileView } from '../view.ts';

/** The file descriptor from which bubblewrap reads the system call filter. */
const filterDescriptor = 4;

export function findBubblewrap(): string | null {
  return findProgram('bwrap', [...foldersOf(), '/usr/bin', '/usr/local/bin']);
}

/**
 * Returns the arguments of bubblewrap: namespaces of every type, no capabilities, and a separate
 * file tree without /proc. The program ends when the parent exits.
 */
export function bubblewrapArgs(
  view: FileView,
  box: Pick<Box, 'in' | 'out' | 'tmp'>,
  hasFilter: boolean,
) {
  return [
    '--unshare-user',
    '--unshare-pid',
    '--unshare-net',
    '--unshare-ipc',
    '--unshare-uts',
    '--unshare-cgroup-try',
    '--die-with-parent',
    '--cap-drop',
    'ALL',
    '--hostname',
    'engine',
    '--dev',
    '/dev',
    '--remount-ro',
    '/dev',
    ...view.links.flatMap(([path, target]) => ['--symlink', target, path]),
    ...view.paths.flatMap((path) => ['--ro-bind', path, path]),
    '--ro-bind',
    box.in,
    box.in,
    '--bind',
    box.out,
    box.out,
    '--bind',
    box.tmp,
    box.tmp,
    '--remount-ro',
    '/',
    '--chdir',
    '/',
    ...(hasFilter ? ['--seccomp', String(filterDescriptor)] : []),
    '--',
  ];
}
