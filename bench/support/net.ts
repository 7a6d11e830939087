import { startTether, type Tether } from '../../src/embedded/tether.ts';

/** What ends with this process, however it ends: the services of a bench and the programs at them. */
let net: Tether | undefined;

/** Holds what is started from now on; a `folder` goes with it. */
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
