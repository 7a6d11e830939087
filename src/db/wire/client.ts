import pg from 'pg';
import { type PostgresAddress, readPostgresAddress } from '../../addresses/postgres.ts';
import { createServers, isPrimary, NoPrimary, type Servers } from './servers.ts';
import { useTlsIfOffered } from './tls-offer.ts';

/** How a pool connects to its database. Shared by the pool's connections. */
export interface Link {
  servers: Servers;
  /** Whether a pooler may give each transaction another session, so that sessions must have no state. */
  isPooled: boolean;
  /** The time limits of a transaction in seconds, if the session cannot hold them. */
  limits: { idle: number; statement: number | null };
}

/** The options that pg passes to the constructor of a client, with additional ones. */
export interface LinkedConfig extends pg.ClientConfig {
  link?: Link;
  /** Whether TLS is used only if the server offers it. */
  sslIfOffered?: boolean;
}

/**
 * Settings of a connection to the database that a URL names, for `PostgresClient`.
 * @throws AddressError
 */
export function configOf(url: string): LinkedConfig & { link: Link } {
  const address = readPostgresAddress(url);
  return {
    ...loginOf(address),
    link: {
      servers: createServers(address.hosts, loginOf(address)),
      isPooled: false,
      limits: { idle: 60, statement: null },
    },
  };
}

function loginOf(address: PostgresAddress): LinkedConfig {
  const [first] = address.hosts;
  return {
    ...first,
    ...(address.user !== undefined && { user: address.user }),
    ...(address.password !== undefined && { password: address.password }),
    ...(address.database !== undefined && { database: address.database }),
    ...(address.ssl !== undefined && { ssl: address.ssl }),
    ...(address.sslIfOffered && { sslIfOffered: true }),
    ...(address.sslDirect && { sslnegotiation: 'direct' }),
    ...(address.options !== undefined && { options: address.options }),
    ...(address.applicationName !== undefined && { application_name: address.applicationName }),
  };
}

type ConnectCallback = (error: Error | null, client?: pg.Client) => void;

/**
 * A client that connects to the primary among its servers, and always has an error listener. The pool and
 * TypeORM leave a new client without one for a moment, in which an error event would end the process.
 * With the listener, the next statement fails instead.
 */
export class PostgresClient extends pg.Client {
  readonly link: Link | null;
  /** The process id that was reported at login; a pooler reports a different one than Postgres has. */
  reportedProcessId: number | null = null;
  #isStandby = false;
  readonly #sslIfOffered: boolean;

  constructor(config: LinkedConfig = {}) {
    super(config);
    this.link = config.link ?? null;
    this.#sslIfOffered = config.sslIfOffered ?? false;
    this.on('error', () => undefined);
    this.connection.on('parameterStatus', ({ parameterName, parameterValue }) => {
      if (parameterName === 'in_hot_standby') this.#isStandby = parameterValue === 'on';
    });
    this.connection.once('backendKeyData', ({ processID }) => {
      this.reportedProcessId = processID;
    });
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.Client> | undefined {
    if (callback) {
      this.#connect(callback);
      return undefined;
    }
    return new Promise((resolve, reject) => {
      this.#connect((error) => (error ? reject(error) : resolve(this)));
    });
  }

  #connect(done: ConnectCallback): void {
    const servers = this.link?.servers;
    if (!servers) {
      super.connect((error: Error | null) => done(error, this));
      return;
    }
    const finish = (fault: Error | null): void => {
      if (fault) servers.forget();
      done(fault, this);
    };
    const login = (): void =>
      super.connect((error: Error | null) => {
        if (error || !this.#isStandby) finish(error);
        else this.#confirmStandby(servers).then(() => finish(null), finish);
      });
    const startLogin = (): void => {
      if (this.#sslIfOffered) useTlsIfOffered(this).then(login, finish);
      else login();
    };
    if (servers.isSingle) startLogin();
    else {
      servers.find().then((host) => {
        Object.assign(this, host);
        startLogin();
      }, done);
    }
  }

  /**
   * Asks the server again, because a pooler may repeat values from before a promotion.
   * @throws NoPrimary
   */
  async #confirmStandby(servers: Servers): Promise<void> {
    if (await isPrimary(async (text) => (await this.query(text)).rows)) return;
    this.end().catch(() => undefined);
    throw new NoPrimary([servers.current]);
  }
}
