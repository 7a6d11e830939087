/**
 * The outcomes of attempts and the classes of response times in statistics. Counters store
 * positions in these lists, so only append to them.
 */

/** Classes of failed attempts: the class of the status, or the reason for a missing response. */
export const failureClasses = [
  'http_3xx',
  'http_4xx',
  'http_5xx',
  'timeout',
  'connection',
  'tls',
  'dns',
  'response',
  'destination',
  'other',
] as const;
export type FailureClass = (typeof failureClasses)[number];

/** The upper bounds of response times in milliseconds, inclusive. The last class has no bound. */
export const latencyBounds = [
  1, 2, 3, 5, 7.5, 10, 15, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750, 1_000, 1_500, 2_000, 3_000,
  5_000, 7_500, 10_000,
] as const;
