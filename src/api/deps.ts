import type { Registry } from 'prom-client';
import type { RateLimits, RequestCounts } from '../access/rate-limits.ts';
import type { Seal } from '../access/seal.ts';
import type { Signer } from '../access/signer.ts';
import type { Database } from '../db/database.ts';
import type { DownloadCounts } from '../library/downloads/counts.ts';
import type { EmbeddingCounts } from '../library/embeddings/counts.ts';
import type { Embedder } from '../library/embeddings/embedder.ts';
import type { UploadLocks } from '../library/uploads/locks.ts';
import type { Logger } from '../logger.ts';
import type { EventListener } from '../outbox/feed/listen.ts';
import type { Redis } from '../queues/connection.ts';
import type { Queues } from '../queues/hints.ts';
import type { Wake } from '../queues/wake.ts';
import type { Storage } from '../storage/storage.ts';
import type { Tracing } from '../tracing.ts';
import type { Dialer } from '../webhooks/dialing/dial.ts';
import type { ProviderSettings } from './portal/sign-in/provider.ts';

/** The settings of the API, from the configuration of the process. */
export interface ApiSettings {
  /** Whether to trust X-Forwarded-For, which is set by the only proxy in front. */
  trustProxy: boolean;
  /**
   * The public URL of the service, such as `https://files.example.com`. Null: use the Host header.
   */
  publicUrl: string | null;
  /** Origins whose pages may call the API; `*` allows all. */
  corsOrigins: readonly string[];
  /** Null disables the queue board, and the metrics on this port. */
  operatorPassword: string | null;
  isBoardWritable: boolean;
  /** The identity provider; null without one. */
  signIn: ProviderSettings | null;
  /** Development only: the token of the link that signs in the local person. */
  localSignInToken: string | null;
  /** Private IP ranges that webhooks may be sent to. */
  webhookAllowCidrs: readonly string[];
  /** The installed OCR languages as Tesseract codes; null if unknown. */
  ocrLanguages: readonly string[] | null;
  /** Whether to validate responses, and return 500 for invalid ones. For tests. */
  checkResponses: boolean;
}

/** The dependencies of the API, created by the entry file. */
export interface Deps {
  database: Database;
  /** Null if none is configured. Requests never wait for it while it is unavailable. */
  redis: Redis | null;
  queues: Queues | null;
  storage: Storage;
  uploadLocks: UploadLocks;
  /** Wakes requests that wait for events. */
  events: EventListener;
  /** Checks the destinations of webhooks, and sends tests to them. */
  dialer: Pick<Dialer, 'check' | 'post'>;
  logger: Logger;
  tracing: Tracing;
  wake: Wake;
  seal: Seal;
  signer: Signer;
  rateLimits: RateLimits;
  requestCounts: RequestCounts;
  downloadCounts: DownloadCounts;
  /** Computes the vectors of questions; null without an endpoint. */
  embedder: Embedder | null;
  embeddingCounts: EmbeddingCounts;
  metrics: Registry;
  /** Whether the process has been asked to stop. */
  shutdown: { hasBegun: boolean };
  settings: ApiSettings;
}
