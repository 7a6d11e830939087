import { spawn } from 'node:child_process';

/**
 * Ends this project's processes when this process dies without cleaning up, even by `kill -9`: a
 * shell reads from a pipe that only this process holds, and acts when the pipe closes.
 */
export interface Tether {
  /** Ends this process with this signal after the parent's death, in the order of adding. */
  attach(pid: number, signal: NodeJS.Signals): void;
  /** It was stopped, or may outlive its parent. */
  detach(pid: number): void;
  /** Releases everything, and the shell ends. */
  close(): Promise<void>;
}

// Word splitting is intended throughout: pids and signal names contain no spaces.
const script = `
trap '' HUP INT TERM
held=''
while read -r verb pid signal; do
  case $verb in
    hold) held="$held $pid:$signal" ;;
    close) exit 0 ;;
    release)
      kept=''
      for entry in $held; do [ "\${entry%%:*}" = "$pid" ] || kept="$kept $entry"; done
      held=$kept ;;
  esac
done
for entry in $held; do kill -s "\${entry##*:}" "\${entry%%:*}" 2>/dev/null; done
[ -z "$1" ] && exit 0
for entry in $held; do
  n=0
  while kill -0 "\${entry%%:*}" 2>/dev/null && [ $n -lt 100 ]; do n=$((n + 1)); sleep 0.1; done
done
rm -rf "$1"
`;

/**
 * Starts a tether. A `folder` is removed after the processes have ended, for data that is useless
 * without its owner (tests); close() leaves it alone.
 */
export function startTether(folder = ''): Tether {
  const shell = spawn('/bin/sh', ['-c', script, 'tether', folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: '/usr/bin:/bin' },
  });
  // Without the shell, only this safety net is missing.
  shell.on('error', () => {});
  shell.stdin.on('error', () => {});
  shell.unref();
  const ended = new Promise<void>((resolve) => {
    shell.once('close', () => resolve());
    shell.once('error', () => resolve());
  });
  const send = (line: string): void => {
    shell.stdin.write(`${line}\n`);
  };
  return {
    attach: (pid, signal) => send(`hold ${pid} ${signal.replace(/^SIG/, '')}`),
    detach: (pid) => send(`release ${pid}`),
    close: async () => {
      shell.ref();
      shell.stdin.end('close\n');
      await ended;
    },
  };
}
