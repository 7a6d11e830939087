/** Classes of database work, which limit how long a statement may take and how many run at once. */
export const workClasses = ['quick', 'search', 'heavy'] as const;
export type WorkClass = (typeof workClasses)[number];

/**
 * The limits of each class. `statementSeconds` is the `statement_timeout` of Postgres. `waiting` is
 * how many requests of one project may wait for a connection; a single key may have half as many.
 * `waitSeconds` is how long a request waits.
 */
export const workBounds: Record<
  WorkClass,
  { statementSeconds: number; waiting: number; waitSeconds: number }
> = {
  /** Reads and writes by key. */
  quick: { statementSeconds: 10, waiting: 512, waitSeconds: 10 },
  /** Reads whose cost grows with the library or the feed. */
  search: { statementSeconds: 10, waiting: 128, waitSeconds: 10 },
  /** Reads or changes of thousands of rows by design. */
  heavy: { statementSeconds: 30, waiting: 128, waitSeconds: 30 },
};
