/** Classes of database work, which limit the duration of statements and the queue of requests. */
export const workClasses = ['quick', 'search', 'heavy'] as const;
export type WorkClass = (typeof workClasses)[number];

/**
 * The limits of each class. `statementSeconds` is the `statement_timeout` of Postgres. `maxWaiting`
 * is the number of requests of a project that may wait for a connection; a key may have half as
 * many. `waitSeconds` is the time for which a request waits.
 */
export const workBounds: Record<
  WorkClass,
  { statementSeconds: number; maxWaiting: number; waitSeconds: number }
> = {
  /** Reads and writes by key. */
  quick: { statementSeconds: 10, maxWaiting: 512, waitSeconds: 10 },
  /** Reads whose cost grows with the library or the feed. */
  search: { statementSeconds: 10, maxWaiting: 128, waitSeconds: 10 },
  /** Reads or changes of thousands of rows by design. */
  heavy: { statementSeconds: 30, maxWaiting: 128, waitSeconds: 30 },
};
