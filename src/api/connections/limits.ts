/** What clients may cost by how they connect, whoever they are. Tests set shorter times. */
export interface ClientLimits {
  /** For a JSON body to arrive, in milliseconds. */
  bodyMs: number;
  /** For the next bytes of it. */
  bodyIdleMs: number;
  /** For a body that is small to arrive before anybody is logged in. */
  smallBodyMs: number;
  /** For the client to read more of an answer that waits for it. */
  writeIdleMs: number;
  /** For the headers of a request to arrive. */
  headersMs: number;
  /** Connections that may be open at once, and those of one address (IPv6: of a /64). */
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

/** JSON bodies up to this size may be read before the login. */
export const smallBodyBytes = 16 * 1024;
/** What all bodies that nobody has logged in for may take in memory, and those of one address. */
export const strangersRoom = { inAll: 16 * mebibyte, forEach: mebibyte };
/** The same for those of keys that are logged in. */
export const keysRoom = { inAll: 128 * mebibyte, forEach: 16 * mebibyte };
