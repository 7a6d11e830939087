/** What a request asks of the database: how long one statement may take, and how many run at once. */
export const workClasses = ['quick', 'search', 'heavy'] as const;
export type WorkClass = (typeof workClasses)[number];

/**
 * The bounds of each class. `statementSeconds` is Postgres's `statement_timeout`; `waiting` is how many
 * requests of one project may wait for a connection, half of them with one key; `waitSeconds` is how
 * long one waits.
 */
export const workBounds: Record<
  WorkClass,
  { statementSeconds: number; waiting: number; waitSeconds: number }
> = {
  /** Reads and writes by key. */
  quick: { statementSeconds: 10, waiting: 512, waitSeconds: 10 },
  /** What reads as much as the library, or the feed, is large. */
  search: { statementSeconds: 10, waiting: 128, waitSeconds: 10 },
  /** What reads or changes thousands of rows on purpose. */
  heavy: { statementSeconds: 30, waiting: 128, waitSeconds: 30 },
};
