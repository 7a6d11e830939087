/**
 * System calls that reading a document never needs, with their numbers on x64 and arm64. They
 * include sockets, because a child uses the socket that it receives from its parent.
 * `deploy/seccomp/engine.json` denies the remaining calls to the worker that starts children.
 */
export const deniedCalls: Readonly<Record<string, readonly [x64: number, arm64: number]>> = {
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  kcmp: [312, 272],
  pidfd_getfd: [438, 438],
  socket: [41, 198],
  connect: [42, 203],
  bind: [49, 200],
  listen: [50, 201],
  accept: [43, 202],
  accept4: [288, 242],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  unshare: [272, 97],
  setns: [308, 268],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  // Memory that is not attributed to a process.
  memfd_create: [319, 279],
  shmget: [29, 194],
  open_by_handle_at: [304, 265],
  name_to_handle_at: [303, 264],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  acct: [163, 89],
  swapon: [167, 224],
  swapoff: [168, 225],
  reboot: [169, 142],
  syslog: [103, 116],
};
/** clone3, whose flags a filter cannot read, and io_uring. Programs fall back to older calls. */
const unavailableCalls = [435, 425, 426, 427];

const architectures = {
  x64: { audit: 0xc000003e, clone: 56 },
  arm64: { audit: 0xc00000b7, clone: 220 },
} as const;

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
const newNamespaces = 0x7e020000;
/**
 * BPF instructions: load a word; jump if equal, if greater or equal, or if a bit is set; return.
 */
const [load, equal, atLeast, anyBit, returnAction] = [0x20, 0x15, 0x35, 0x45, 0x06];
const allow = 0x7fff0000;
const killProcess = 0x80000000;
const failWith = (errno: number) => 0x00050000 + errno;
const [eperm, enosys] = [1, 38];

/**
 * Returns a system call filter in the format of the kernel; null on architectures whose call
 * numbers are not listed here. Denied calls fail with EPERM, so that programs can continue without
 * them.
 */
export function seccompFilter(arch: string = process.arch): Buffer | null {
  if (arch !== 'x64' && arch !== 'arm64') return null;
  const { audit, clone } = architectures[arch];
  const instructions: [code: number, yes: number, no: number, value: number][] = [];
  const returnWhen = (code: number, value: number, answer: number): void => {
    instructions.push([code, 0, 1, value], [returnAction, 0, 0, answer]);
  };
  // struct seccomp_data: the number is at 0, the architecture at 4, the first argument at 16.
  instructions.push(
    [load, 0, 0, 4],
    [equal, 1, 0, audit],
    [returnAction, 0, 0, killProcess],
    [load, 0, 0, 0],
  );
  // On x64, x32 calls are the same calls with different numbers.
  if (arch === 'x64') returnWhen(atLeast, 0x40000000, failWith(eperm));
  for (const [x64, arm64] of Object.values(deniedCalls)) {
    returnWhen(equal, arch === 'x64' ? x64 : arm64, failWith(eperm));
  }
  for (const number of unavailableCalls) returnWhen(equal, number, failWith(enosys));
  instructions.push([equal, 0, 3, clone], [load, 0, 0, 16], [anyBit, 0, 1, newNamespaces]);
  instructions.push([returnAction, 0, 0, failWith(eperm)], [returnAction, 0, 0, allow]);
  const filter = Buffer.alloc(instructions.length * 8);
  instructions.forEach(([code, yes, no, value], at) => {
    filter.writeUInt16LE(code, at * 8);
    filter.writeUInt8(yes, at * 8 + 2);
    filter.writeUInt8(no, at * 8 + 3);
    filter.writeUInt32LE(value, at * 8 + 4);
  });
  return filter;
}
