import { startTether, type Tether } from '../../embedded/processes/tether.ts';

/** Ends a benchmark's services and programs with this process, however it exits. */
let tether: Tether | undefined;

/** Ties all processes started from now on to this process; `folder` is removed with it. */
export function openTether(folder: string): Pick<Tether, 'close'> {
  const opened = startTether(folder);
  tether = opened;
  return opened;
}

export function attach(pid: number, signal: NodeJS.Signals): void {
  tether?.attach(pid, signal);
}

export function detach(pid: number): void {
  tether?.detach(pid);
}
