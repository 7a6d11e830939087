import { startTether, type Tether } from '../../embedded/processes/tether.ts';

/** Ends a benchmark's services and programs with this process, however it exits. */
let net: Tether | undefined;

/** Ties all processes started from now on to this process; `folder` is removed with it. */
export function openNet(folder: string): Pick<Tether, 'close'> {
  const opened = startTether(folder);
  net = opened;
  return opened;
}

export function hold(pid: number, signal: NodeJS.Signals): void {
  net?.hold(pid, signal);
}

export function release(pid: number): void {
  net?.release(pid);
}
