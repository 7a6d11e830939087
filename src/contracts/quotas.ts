/**
 * What a project may have, unless the operator says otherwise (`admin project quota`). `GET /v1/usage`
 * shows it beside what is used.
 */
export const quotas = {
  storage_bytes: {
    most: 1024 ** 4,
    counts:
      'Bytes of all objects, trash included, and of uploads in progress at their full length.',
  },
  objects: { most: 1_000_000, counts: 'Objects, trash included, and uploads in progress.' },
  uploads: { most: 1_000, counts: 'Resumable uploads in progress.' },
  api_keys: { most: 1_000, counts: 'Keys that have not been revoked.' },
  collections: { most: 100_000, counts: 'Collections, trash included.' },
  jobs_in_flight: { most: 100_000, counts: 'Jobs that are queued, running or cancelling.' },
} as const;

export type QuotaName = keyof typeof quotas;
export const quotaNames = Object.keys(quotas) as QuotaName[];

/** Postgres's code (SQLSTATE) for a quota that is used up: `quota_claim` raises it. */
export const quotaExceededState = 'QT001';
