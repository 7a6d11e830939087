/** Limits on the connections of each client. Tests set shorter times. */
export interface ClientLimits {
  /** The time for a JSON body to arrive, in milliseconds, like all times here. */
  bodyMs: number;
  /** The time for the next bytes of a JSON body. */
  bodyIdleMs: number;
  /** The time for a small body to arrive before login. */
  smallBodyMs: number;
  /** The time for the client to read more of a pending response. */
  writeIdleMs: number;
  /** The time for the headers of a request to arrive. */
  headersMs: number;
  /** The maximum number of connections in total, and per address (IPv6: per /64). */
  connections: number;
  connectionsPerAddress: number;
}

export const clientLimits: ClientLimits = {
  bodyMs: 30_000,
  bodyIdleMs: 10_000,
  smallBodyMs: 25,
  writeIdleMs: 30_000,
  headersMs: 15_000,
  connections: 10_000,
  connectionsPerAddress: 512,
};

const mebibyte = 1024 * 1024;

/** JSON bodies up to this size may be read before login. */
export const smallBodyBytes = 16 * 1024;
/** The memory for bodies that are read before login, in total and per address. */
export const bodyMemoryBeforeLogin = { inAll: 16 * mebibyte, forEach: mebibyte };
/** The memory for bodies that are read after login, in total and per key. */
export const bodyMemoryAfterLogin = { inAll: 128 * mebibyte, forEach: 16 * mebibyte };
