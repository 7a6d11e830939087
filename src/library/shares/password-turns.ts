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
const usual = { inAll: 100, holder: 32, network: 16 };

/** Runs one derivation at a time: each occupies a thread that file access also needs. */
export interface PasswordTurns {
  /**
   * Runs `work` once it is the party's turn.
   * @throws Problem 429 if too many wait; the response is not sent if the client has disconnected
   */
  take<T>(party: PasswordParty, work: () => Promise<T>): Promise<T>;
}

/**
 * Turns rotate by project, then by link or caller, then by network. A project may use as many
 * waiting places as are still free, so that a few greedy projects leave some.
 */
export function createPasswordTurns(max = usual): PasswordTurns {
  const waiting: Waiter[] = [];
  let isBusy = false;
  let turn = 0;
  /** The last turn of each project, of its links, and of their networks. */
  const served = new Map<string, number>();

  const count = (by: keyof PartyNames, names: PartyNames): number =>
    waiting.filter((waiter) => waiter.names[by] === names[by]).length;
  const isFull = (names: PartyNames): boolean =>
    count('network', names) >= max.network ||
    count('holder', names) >= max.holder ||
    count('project', names) >= max.inAll - waiting.length;

  const begin = (names: PartyNames): void => {
    isBusy = true;
    turn += 1;
    for (const name of levelsOf(names)) served.set(name, turn);
  };
  const startNext = (): void => {
    isBusy = false;
    const lastTurns = ({ names }: Waiter) => levelsOf(names).map((name) => served.get(name) ?? 0);
    const [next] = waiting.toSorted((a, b) => compare(lastTurns(a), lastTurns(b)));
    if (!next) {
      served.clear();
      return;
    }
    waiting.splice(waiting.indexOf(next), 1);
    begin(next.names);
    next.start();
  };
  const wait = (names: PartyNames, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const leave = (): void => {
        waiting.splice(waiting.indexOf(waiter), 1);
        reject(left());
      };
      const start = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const waiter: Waiter = { names, start };
      waiting.push(waiter);
      signal.addEventListener('abort', leave, { once: true });
    });

  return {
    async take({ projectId, holder, network, signal }, work) {
      if (signal.aborted) throw left();
      const names = { project: projectId, holder, network };
      if (!isBusy) begin(names);
      else if (isFull(names)) throw tooMany();
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

function left(): Problem {
  return new Problem('malformed_request', 'The client disconnected before its turn.');
}

function tooMany(): Problem {
  const headers = { 'Retry-After': '5' };
  return new Problem('rate_limited', 'Too many passwords are being checked.', { headers });
}
