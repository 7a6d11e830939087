import type { Box } from '../box.ts';
import { findProgram } from '../programs.ts';
import type { FileView } from '../view.ts';

/**
 * Runs as root of a user namespace: builds a separate tree on a new file system, and drops all
 * capabilities before the program starts. Without capabilities, the program cannot leave a chroot
 * or create a user namespace in it. The shell stays as the first process of its namespace, so that
 * signals of the program end it as usual. Arguments: the root, chroot, setpriv, the number of
 * links, the path and target of each link, the number of writable folders, these folders, the
 * number of readable paths, these paths, and the program.
 */
const script = `
set -e
root=$1 chroot=$2 setpriv=$3
shift 3
place() {
  if [ -d "$1" ]; then mkdir -p "$root$1"
  else mkdir -p "$root$(dirname "$1")"; [ -e "$root$1" ] || : > "$root$1"; fi
}
mount -t tmpfs -o size=4m,mode=755,nosuid,nodev engine "$root"
links=$1; shift
while [ "$links" -gt 0 ]; do
  mkdir -p "$root$(dirname "$1")"; ln -s "$2" "$root$1"
  shift 2; links=$((links - 1))
done
writes=$1; shift
while [ "$writes" -gt 0 ]; do
  place "$1"; mount --bind "$1" "$root$1"; mount -o remount,bind,nosuid,nodev "$root$1"
  shift; writes=$((writes - 1))
done
for device in null zero urandom random; do
  place "/dev/$device"; mount --bind "/dev/$device" "$root/dev/$device"
done
reads=$1; shift
while [ "$reads" -gt 0 ]; do
  place "$1"; mount --bind "$1" "$root$1"; mount -o remount,bind,ro,nosuid,nodev "$root$1"
  shift; reads=$((reads - 1))
done
mount -o remount,bind,ro,nosuid,nodev "$root"
cd /
set +e
"$chroot" "$root" "$setpriv" --bounding-set -all --inh-caps -all --no-new-privs -- "$@"
exit $?
`;

type Unshare = { unshare: string; setpriv: string; chroot: string };

export function findUnshare(): Unshare | null {
  const unshare = findProgram('unshare');
  const setpriv = findProgram('setpriv');
  const chroot = findProgram('chroot');
  return unshare && setpriv && chroot ? { unshare, setpriv, chroot } : null;
}

/**
 * Returns the command line that runs the program that follows it in such a tree. `root` is an empty
 * folder.
 */
export function unshareArgs(
  { unshare, setpriv, chroot }: Unshare,
  view: FileView,
  box: Pick<Box, 'in' | 'out' | 'tmp'>,
  root: string,
): string[] {
  const namespaces = ['--user', '--map-root-user', '--mount', '--pid', '--net', '--ipc', '--uts'];
  const reads = [...view.paths, setpriv, box.in];
  return [
    // If this process is killed, unshare and its child are killed as well.
    setpriv,
    '--pdeathsig',
    'KILL',
    unshare,
    ...namespaces,
    '--fork',
    '--kill-child',
    '--',
    '/bin/sh',
    '-c',
    script,
    'sh',
    root,
    chroot,
    setpriv,
    String(view.links.length),
    ...view.links.flat(),
    '2',
    box.out,
    box.tmp,
    String(reads.length),
    ...reads,
  ];
}
