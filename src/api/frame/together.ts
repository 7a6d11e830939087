import pg from 'pg';
import {
  type Admission,
  askAdmission,
  type ClaimedKey,
  type Credentials,
} from '../../access/authenticate.ts';
import { waitedForItself } from '../../access/shares.ts';
import { Problem } from '../../contracts/problems.ts';
import { workBounds } from '../../contracts/work.ts';
import { RolledBack } from '../../db/conversation.ts';
import { type Shared, share, type Tx } from '../../db/transaction.ts';
import { causedBy } from '../../outbox/cause.ts';
import { type Gathered, gather } from '../../outbox/gather.ts';
import { type Crowd, createCrowd } from './crowd.ts';
import type { Exchange } from './exchange.ts';
import type { Reply } from './reply.ts';
import { type Ahead, type Replay, workOf } from './route.ts';
import type { Turns } from './turns.ts';

/**
 * How many requests share one transaction at most. One transaction of a project and route is under way
 * at a time: with two, half as many share each, which cost a quarter more.
 */
const mostTogether = 32;
/** How many of one project may wait to share one; others wait in `access/shares`, which has bounds. */
const mostWaiting = 128;
/** How many of them may be one key's, so that its neighbours in the project do not wait for many rounds. */
const mostWaitingOfKey = mostTogether;
/** For how long nothing is shared after a transaction had to be taken apart. */
const apartMs = 1_000;

/** For how many projects and routes it is remembered who came, and what was taken apart. */
const mostCompanies = 1_000;

/** What was asked for together with login. */
export interface Asked {
  admission: Promise<{ identity: Admission['identity']; key: ClaimedKey | null }>;
  ahead: Ahead | null;
}

/** A request that may share its transaction. */
export interface Member {
  exchange: Exchange;
  /** Its Idempotency-Key. */
  value: string | null;
  ahead(tx: Tx): Ahead | null;
  /** All that is to be done in the transaction, behind what was asked. */
  answer(tx: Tx, asked: Asked): Promise<Reply | Replay>;
  /** The same in a transaction of its own. */
  alone(): Promise<Reply | Replay>;
}

export interface Together {
  answer(member: Member): Promise<Reply | Replay>;
}

/** What a member does when its round has ended. */
type Ending = () => Promise<Reply | Replay>;

interface Company {
  crowd: Crowd;
  apartUntil: number;
  join: Gathered<Arrived, Ending>;
}

/** A member that waits for its round. */
interface Arrived extends Member {
  since: number;
  /** Who logs in, told apart from everybody else who does. */
  who: string;
}

/**
 * Lets requests for one route of a project share a transaction: while one transaction is under way, the
 * requests that arrive wait and go together in the next. It takes one login per key, one commit and one
 * connection. Each request keeps its own reads, cause and answer. A request that is refused has written
 * nothing, so the others go on. If the transaction cannot commit, each request is run again on its own.
 */
export function createTogether(turns: Turns): Together {
  const companies = new Map<string, Company>();
  /** By project and by key. */
  const waiting = new Map<string, number>();
  const waits = (name: string): number => waiting.get(name) ?? 0;
  const count = (name: string, by: 1 | -1): void => {
    const now = waits(name) + by;
    if (now > 0) waiting.set(name, now);
    else waiting.delete(name);
  };
  const companyOf = (name: string): Company => {
    let company = companies.get(name);
    if (!company) {
      const [oldest] = companies.keys();
      if (companies.size >= mostCompanies && oldest !== undefined) companies.delete(oldest);
      const crowd = createCrowd(() => performance.now());
      const made: Company = {
        crowd,
        apartUntil: 0,
        join: gather(
          { most: mostTogether, lingerMs: crowd.lingerMs, enough: crowd.expected },
          async (members) => {
            crowd.begin(members.length);
            const endings = await serveRound(turns, made, members);
            crowd.end();
            return endings;
          },
        ),
      };
      companies.set(name, made);
      company = made;
    }
    return company;
  };
  return {
    async answer(member) {
      const { credentials, route } = member.exchange;
      // A stranger never shares the transaction of the project that its header names.
      const project = await turns.projectOf(member.exchange);
      if (project !== credentials.projectId) return member.alone();
      const who = whoOf(credentials);
      if (waits(project) >= mostWaiting || waits(who) >= mostWaitingOfKey) return member.alone();
      const name = `${project} ${route.operationId}`;
      const company = companyOf(name);
      if (performance.now() < company.apartUntil) return member.alone();
      company.crowd.join();
      count(project, 1);
      count(who, 1);
      let end: Ending;
      try {
        end = await company.join({ ...member, since: performance.now(), who });
      } finally {
        company.crowd.leave();
        count(project, -1);
        count(who, -1);
      }
      return end();
    },
  };
}

function whoOf({ keyHash, session }: Credentials): string {
  return [keyHash.toString('base64'), session?.id, session?.stored].join(' ');
}

async function serveRound(
  turns: Turns,
  company: Company,
  arrived: readonly Arrived[],
): Promise<Ending[]> {
  const [first] = arrived;
  // Whoever comes alone goes by itself, at once; those who come meanwhile go together.
  if (arrived.length === 1) return [await first!.alone().then(resolved, rejected)];
  const { exchange } = first!;
  const kind = workOf(exchange.route);
  const late = performance.now() - workBounds[kind].waitSeconds * 1_000;
  const claims = new Set<string>();
  const endings = new Map<Member, Ending>();
  const members = arrived.filter((member) => {
    if (member.since < late) {
      endings.set(member, rejected(waitedForItself(kind)));
      return false;
    }
    // A lock excludes nobody within one transaction: of equal keys one is here, the others follow.
    if (member.value === null) return true;
    const claim = `${member.who} ${member.value}`;
    if (claims.has(claim)) {
      endings.set(member, member.alone);
      return false;
    }
    claims.add(claim);
    return true;
  });
  try {
    const outcomes = await turns.transact(exchange, kind, (tx) => doTogether(tx, members));
    for (const [at, outcome] of outcomes.entries()) {
      const ending = outcome.failed ? rejected(outcome.error) : resolved(outcome.result);
      endings.set(members[at]!, ending);
    }
  } catch (error) {
    company.apartUntil = performance.now() + apartMs;
    for (const member of members) {
      // When the connection broke nobody knows whether it committed: done again, it might be twice.
      endings.set(member, isUndone(error) ? member.alone : rejected(error));
    }
  }
  return arrived.map((member) => endings.get(member)!);
}

const resolved =
  (reply: Reply | Replay): Ending =>
  async () =>
    reply;
const rejected =
  (error: unknown): Ending =>
  async () => {
    throw error;
  };

/** One packet asks for all of them, and one writes for all. */
async function doTogether(tx: Tx, members: readonly Arrived[]): Promise<Shared<Reply | Replay>[]> {
  const admissions = askAdmissions(tx, members);
  const aheads = members.map((member) => member.ahead(tx));
  const outcomes = await Promise.all(
    members.map((member, at) =>
      share(tx, (own) => {
        causedBy(own, member.exchange.cause);
        return member.answer(own, { admission: admissions.get(member)!, ahead: aheads[at]! });
      }),
    ),
  );
  const spoilt = outcomes.find((outcome) => outcome.failed && outcome.spoils);
  if (spoilt?.failed) throw new Spoilt(spoilt.error);
  return outcomes;
}

/** Logs each key in once, with the Idempotency-Keys of all its requests. */
function askAdmissions(tx: Tx, members: readonly Arrived[]): Map<Member, Asked['admission']> {
  const byKey = new Map<string, Arrived[]>();
  for (const member of members) {
    const own = byKey.get(member.who);
    if (own) own.push(member);
    else byKey.set(member.who, [member]);
  }
  const admissions = new Map<Member, Asked['admission']>();
  for (const own of byKey.values()) {
    const { credentials, route } = own[0]!.exchange;
    const values = own.flatMap(({ value }) => (value === null ? [] : [value]));
    const wanted = values.length > 0 ? { route: route.operationId, values } : null;
    const asked = askAdmission(tx, credentials, workOf(route), wanted);
    for (const member of own) {
      const at = member.value === null ? -1 : values.indexOf(member.value);
      const admission = asked.then(({ identity, keys }) => ({ identity, key: keys[at] ?? null }));
      admissions.set(member, admission);
    }
  }
  return admissions;
}

/** One of several failed after it had written: none of them is committed. */
class Spoilt extends Error {
  constructor(cause: unknown) {
    super('Shared work failed after it had written.', { cause });
    this.name = 'Spoilt';
  }
}

/** Whether a failure says that its transaction was rolled back, or never began. */
function isUndone(error: unknown): boolean {
  if (error instanceof Spoilt || error instanceof RolledBack) return true;
  // Its turn did not come: theirs would not, either.
  if (error instanceof Problem) return error.status !== 429 && error.status !== 503;
  return error instanceof pg.DatabaseError && error.severity === 'ERROR';
}
