import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Host } from '../../addresses/url.ts';
import { useTlsIfOffered } from './tls-offer.ts';

/** How long a server may take to accept a login and to report its state. */
const probeMs = 3_000;
/** The pause after a search without a result. Random, so that processes do not search at the same time. */
const [minPauseMs, maxPauseMs] = [100, 400];

/** No server accepts writes at the moment. */
export class NoPrimary extends Error {
  /** `cannot_connect_now`, as of a server that starts. */
  readonly code = '57P03';

  constructor(hosts: readonly Host[], cause?: unknown) {
    const names = hosts.map(({ host, port }) => `${host}:${port}`);
    super(
      names.length === 1
        ? `Postgres on ${names[0]} is a standby, which cannot be written to: name its primary, or all servers of the cluster (postgres://host1,host2/database).`
        : `None of the Postgres servers ${names.join(', ')} is a primary that accepts connections.`,
      { cause },
    );
    this.name = 'NoPrimary';
  }
}

/**
 * Whether a server accepts writes, which a standby does not.
 * @param runQuery runs a statement
 */
export async function isPrimary(
  runQuery: (text: string) => Promise<{ standby: boolean }[]>,
): Promise<boolean> {
  const [row] = await runQuery('SELECT pg_is_in_recovery() AS standby');
  return row?.standby === false;
}

/** The servers of a cluster, of which one is the primary. */
export interface Servers {
  readonly isSingle: boolean;
  /** The primary, or the last one known. */
  readonly current: Host;
  /**
   * Finds the primary; all callers share a search.
   * @throws NoPrimary
   */
  find(): Promise<Host>;
  /** Makes the next caller search again, because a connection failed. */
  forget(): void;
}

/** Finds the primary among several hosts, because node-postgres supports only one. */
export function createServers(
  hosts: readonly Host[],
  login: pg.ClientConfig & { sslIfOffered?: boolean },
): Servers {
  let current = hosts[0]!;
  let isKnown = false;
  let search: Promise<Host> | null = null;

  const probe = async (host: Host): Promise<Host> => {
    const client = new pg.Client({
      ...login,
      ...host,
      connectionTimeoutMillis: probeMs,
      query_timeout: probeMs,
    });
    client.on('error', () => undefined);
    try {
      if (login.sslIfOffered) await useTlsIfOffered(client);
      await client.connect();
      if (await isPrimary(async (text) => (await client.query(text)).rows)) return host;
      throw new NoPrimary([host]);
    } finally {
      client.end().catch(() => undefined);
    }
  };
  const searchAll = async (): Promise<Host> => {
    try {
      current = await Promise.any(hosts.map(probe));
      isKnown = true;
      return current;
    } catch (error) {
      await delay(minPauseMs + Math.random() * (maxPauseMs - minPauseMs));
      throw new NoPrimary(hosts, error);
    } finally {
      search = null;
    }
  };
  return {
    isSingle: hosts.length === 1,
    get current() {
      return current;
    },
    find() {
      if (isKnown) return Promise.resolve(current);
      search ??= searchAll();
      return search;
    },
    forget() {
      isKnown = false;
    },
  };
}
