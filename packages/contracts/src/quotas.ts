/**
 * The default quotas of a project; the operator can change them (`admin project quota`). `GET
 * /v1/usage` returns them with the current use.
 */
export const quotas = {
  storage_bytes: {
    most: 1024 ** 4,
    counts:
      'Bytes of all objects, including the trash, of pictures of pages while they are kept, and of uploads in progress, at their full length.',
  },
  objects: { most: 1_000_000, counts: 'Objects, including the trash, and uploads in progress.' },
  uploads: { most: 1_000, counts: 'Resumable uploads in progress.' },
  api_keys: { most: 1_000, counts: 'Keys that have not been revoked.' },
  collections: { most: 100_000, counts: 'Collections, including the trash.' },
  jobs_in_flight: { most: 100_000, counts: 'Jobs that are queued, running or cancelling.' },
} as const;

export type QuotaName = keyof typeof quotas;
export const quotaNames = Object.keys(quotas) as QuotaName[];

/** The SQLSTATE that `quota_claim` raises when a quota is exceeded. */
export const quotaExceededState = 'QT001';
