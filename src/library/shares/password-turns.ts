import { Problem } from '@scriptorium/contracts/problems';

/** The party that needs a password hashed or checked. */
export interface PasswordParty {
  projectId: string;
  /** The link being opened, or the caller that sets a password. */
  holder: string;
  /** The network that the request came from. */
  network: string;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
}

interface Waiter {
  names: PartyNames;
  start: () => void;
}

type PartyNames = Record<'project' | 'holder' | 'network', string>;

/** How many may wait, in total, per link and per network. */
const defaultMax = { total: 100, holder: 32, network: 16 };

/** Runs one password derivation at a time, since each occupies a thread that file access also needs. */
export interface PasswordTurns {
  /**
   * Runs `work` once it is the party's turn.
   * @throws Problem 429 if too many wait; the response is not sent if the client has disconnected
   */
  run<T>(party: PasswordParty, work: () => Promise<T>): Promise<T>;
}

/**
 * Turns rotate by project, then by link or caller, then by network. A project can have at most as
 * many requests waiting as the queue can still accept, so that busy projects leave capacity for
 * others.
 */
export function createPasswordTurns(max = defaultMax): PasswordTurns {
  const waiting: Waiter[] = [];
  let isBusy = false;
  let turn = 0;
  /** The last turn of each project, of its links, and of their networks. */
  const lastTurnByName = new Map<string, number>();

  const count = (by: keyof PartyNames, names: PartyNames): number =>
    waiting.filter((waiter) => waiter.names[by] === names[by]).length;
  const isFull = (names: PartyNames): boolean =>
    count('network', names) >= max.network ||
    count('holder', names) >= max.holder ||
    count('project', names) >= max.total - waiting.length;

  const startTurn = (names: PartyNames): void => {
    isBusy = true;
    turn += 1;
    for (const name of levelsOf(names)) lastTurnByName.set(name, turn);
  };
  const startNext = (): void => {
    isBusy = false;
    const lastTurns = ({ names }: Waiter) =>
      levelsOf(names).map((name) => lastTurnByName.get(name) ?? 0);
    const [next] = waiting.toSorted((a, b) => compare(lastTurns(a), lastTurns(b)));
    if (!next) {
      lastTurnByName.clear();
      return;
    }
    waiting.splice(waiting.indexOf(next), 1);
    startTurn(next.names);
    next.start();
  };
  const wait = (names: PartyNames, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const onAbort = (): void => {
        waiting.splice(waiting.indexOf(waiter), 1);
        reject(clientDisconnected());
      };
      const start = (): void => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      const waiter: Waiter = { names, start };
      waiting.push(waiter);
      signal.addEventListener('abort', onAbort, { once: true });
    });

  return {
    async run({ projectId, holder, network, signal }, work) {
      if (signal.aborted) throw clientDisconnected();
      const names = { project: projectId, holder, network };
      if (!isBusy) startTurn(names);
      else if (isFull(names)) throw rateLimited();
      else await wait(names, signal);
      try {
        return await work();
      } finally {
        startNext();
      }
    },
  };
}

function levelsOf({ project, holder, network }: PartyNames): string[] {
  return [project, `${project} ${holder}`, `${project} ${holder} ${network}`];
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? 0 : a[at]! - b[at]!;
}

function clientDisconnected(): Problem {
  return new Problem('malformed_request', 'The client disconnected before its turn.');
}

function rateLimited(): Problem {
  const headers = { 'Retry-After': '5' };
  return new Problem('rate_limited', 'Too many passwords are being checked.', { headers });
}
