import {
  type EntityType,
  entityNames,
  isDrawnType,
} from '@scriptorium/contracts/documents/entities';
import { createValidator } from '@scriptorium/contracts/helpers/validator';
import { type WorkerName, workerNames } from '@scriptorium/contracts/work/queues';
import { isolationModes } from '@scriptorium/sandbox/isolation/kinds';
import { type Static, Type } from 'typebox';
import { type GroupRoles, parseGroupRoles } from './access/people/groups.ts';
import { databaseUrls } from './access/secret-settings.ts';
import { readPostgresAddress } from './addresses/postgres.ts';
import { readRedisAddress } from './addresses/redis.ts';
import { AddressError } from './addresses/url.ts';
import { basePathOf, isAmbiguous } from './api/base-path.ts';
import type { ProviderSettings } from './api/portal/sign-in/provider.ts';
import type { RecogniserSettings } from './jobs/recogniser/recogniser.ts';
import { type EmbeddingSettings, readEmbeddingSettings } from './library/embeddings/settings.ts';
import type { Logger } from './logger.ts';
import { samplers, type TracingSettings } from './tracing.ts';
import {
  AddressRangeError,
  createAddressPolicy,
  isLocalRange,
} from './webhooks/dialing/address.ts';

const integer = (fallback: number, minimum = 0) => Type.Integer({ minimum, default: fallback });
/** Optional without a default: the code that uses it handles a missing value. */
const optionalInteger = (minimum: number) => Type.Optional(Type.Integer({ minimum }));

/** All environment variables of all processes. */
const Environment = Type.Object({
  NODE_ENV: Type.String({ default: 'development' }),
  LOG_LEVEL: Type.Enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
    default: 'info',
  }),
  DATABASE_URL: Type.Optional(Type.String()),
  /** The same login as DATABASE_URL without a pooler, if DATABASE_URL goes through one. */
  DATABASE_SESSION_URL: Type.Optional(Type.String()),
  DATABASE_OWNER_URL: Type.Optional(Type.String()),
  DATABASE_WORKER_URL: Type.Optional(Type.String()),
  DATABASE_RELAY_URL: Type.Optional(Type.String()),
  DATABASE_NEIGHBOUR_URL: Type.Optional(Type.String()),
  DATABASE_SUPERUSER_URL: Type.Optional(Type.String()),
  REDIS_URL: Type.Optional(Type.String()),
  STORAGE_URL: Type.Optional(Type.String()),
  /** The folder for bytes that are not yet in S3, on a disk that outlives the process. */
  SPOOL_PATH: Type.Optional(Type.String()),
  /**
   * 32 bytes in base64. During a rotation, two keys separated by a comma: the first encrypts, both
   * decrypt.
   */
  SECRET_KEY: Type.Optional(Type.String()),
  SIGNING_KEY: Type.Optional(Type.String()),
  HOST: Type.String({ default: '127.0.0.1' }),
  PORT: integer(8080),
  METRICS_PORT: optionalInteger(0),
  TRUST_PROXY: Type.Boolean({ default: false }),
  /** Not applied with TRUST_PROXY, since all connections come from the proxy. */
  CONNECTIONS_PER_ADDRESS: integer(512, 1),
  /** How long an API process accepts requests after a signal, so that load balancers notice. */
  SHUTDOWN_DELAY_SECONDS: Type.Integer({ minimum: 0, maximum: 300, default: 0 }),
  /** The URL at which clients reach the service: an origin, and the base path behind a proxy. */
  PUBLIC_URL: Type.Optional(
    Type.String({ pattern: '^https?://[^/?#\\s]+(/[\\w~-][\\w.~-]*)*/?$' }),
  ),
  /** Origins whose pages may call the API, separated by commas, or `*`. */
  CORS_ORIGINS: Type.String({ default: '' }),
  OPERATOR_PASSWORD: Type.Optional(Type.String({ minLength: 12 })),
  BOARD_WRITABLE: Type.Boolean({ default: false }),
  /** The identity provider that people sign in with; the three settings belong together. */
  OIDC_ISSUER: Type.Optional(Type.String()),
  OIDC_CLIENT_ID: Type.Optional(Type.String()),
  OIDC_CLIENT_SECRET: Type.Optional(Type.String()),
  /** The provider's name in the portal. Default: its host. */
  OIDC_NAME: Type.Optional(Type.String({ maxLength: 100 })),
  /** The claim with a person's groups. */
  OIDC_ROLE_CLAIM: Type.Optional(Type.String()),
  /** The roles of groups, by project: `{"prj_…": {"group": "role"}}`. */
  OIDC_ROLES: Type.Optional(Type.String()),
  /** The token of the link that signs in the local person of `script/server`. */
  LOCAL_SIGN_IN_TOKEN: Type.Optional(Type.String({ minLength: 16 })),
  POOL_SIZE: integer(16, 1),
  /** `all`, or a list of queues separated by commas. */
  WORKERS: Type.String({ default: 'all' }),
  WORKER_SLOTS: optionalInteger(1),
  OCR_PROCESSES: optionalInteger(1),
  OCR_MEMORY_MB: integer(1024, 128),
  IMAGING_PROCESSES: optionalInteger(1),
  IMAGING_MEMORY_MB: integer(1024, 128),
  TESSDATA_PATH: Type.Optional(Type.String()),
  /** `native`: the installed `tesseract`. `wasm`: tesseract.js. `auto`: native if installed. */
  OCR_ENGINE: Type.Union([Type.Literal('auto'), Type.Literal('native'), Type.Literal('wasm')], {
    default: 'auto',
  }),
  /** `required`: do not start if the kernel cannot isolate engine processes. */
  ENGINE_ISOLATION: Type.Enum([...isolationModes], { default: 'auto' }),
  /** The folder for temporary files of engines, ideally on the same disk as the storage. */
  ENGINE_SCRATCH_PATH: Type.Optional(Type.String()),
  /** The external recogniser of personal data, as an HTTP service like Presidio's analyzer. */
  RECOGNISER_URL: Type.Optional(Type.String()),
  /** Our types by the recogniser's own: `ORG=ORGANIZATION,GPE=LOCATION`. */
  RECOGNISER_TYPES: Type.String({ default: '' }),
  /** The languages that it supports, as ISO 639 codes separated by commas. */
  RECOGNISER_LANGUAGES: Type.String({ pattern: '^[a-z]{2,3}(,[a-z]{2,3})*$', default: 'en' }),
  RECOGNISER_TIMEOUT_SECONDS: Type.Integer({ minimum: 1, maximum: 300, default: 30 }),
  /** An OpenAI-compatible endpoint: a base URL, or the full URL, which ends with `/embeddings`. */
  EMBEDDINGS_URL: Type.Optional(Type.String({ pattern: '^https?://' })),
  EMBEDDINGS_API_KEY: Type.Optional(Type.String()),
  EMBEDDINGS_MODEL: Type.Optional(Type.String({ maxLength: 200 })),
  /** The number of components of the model's vectors. */
  EMBEDDINGS_DIMENSIONS: Type.Optional(Type.Integer({ minimum: 8, maximum: 8_192 })),
  WEBHOOK_ALLOW_CIDRS: Type.String({ default: '' }),
  /** Public IP ranges of the operator, which webhooks must not reach. */
  WEBHOOK_DENY_CIDRS: Type.String({ default: '' }),
  /**
   * Seconds between attempts, separated by commas. Default: the ten steps in
   * docs/guides/webhooks.md.
   */
  WEBHOOK_RETRY_SCHEDULE: Type.Optional(Type.String()),
  /** The OTLP/HTTP endpoint for traces: the base URL, or the full URL for traces. */
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(Type.String({ pattern: '^https?://' })),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: Type.Optional(Type.String({ pattern: '^https?://' })),
  OTEL_TRACES_SAMPLER: Type.Enum([...samplers], { default: 'parentbased_always_on' }),
  OTEL_TRACES_SAMPLER_ARG: Type.Number({ minimum: 0, maximum: 1, default: 1 }),
  OTEL_SDK_DISABLED: Type.Boolean({ default: false }),
});

type Environment = Static<typeof Environment>;
export const settingNames: readonly string[] = Object.keys(Environment.properties);
interface ParsedSettings {
  tracing: TracingSettings;
  workers: readonly WorkerName[];
  webhookAllowCidrs: string[];
  webhookDenyCidrs: string[];
  corsOrigins: string[];
  signIn: ProviderSettings | null;
  recogniser: RecogniserSettings | null;
  embeddings: EmbeddingSettings | null;
  /** Parameters of database URLs that have no effect or are unsafe. */
  urlNotes: UrlNote[];
}

export interface UrlNote {
  setting: string;
  /** The parameters that are ignored. */
  ignored: string[];
  /** Whether TLS is used without verifying the server. */
  isUnverified: boolean;
}
type Config = Environment & ParsedSettings;

/**
 * Reads and validates the configuration of a process, and reports all invalid variables at once.
 * `needs` are the variables that this process requires.
 */
export function readConfig<const Needs extends keyof Environment>(
  env: NodeJS.ProcessEnv,
  needs: readonly Needs[],
): Config & { [K in Needs]-?: NonNullable<Environment[K]> } {
  const ajv = createValidator({
    coerceTypes: true,
    useDefaults: true,
    strict: false,
    // Compiling the meta-schema would take longer than the rest of startup validation.
    meta: false,
    validateSchema: false,
  });
  const values: Record<string, unknown> = Object.fromEntries(
    settingNames.flatMap((name) => (env[name] ? [[name, env[name]]] : [])),
  );
  const validate = ajv.compile<Environment>(Environment);
  const faults: string[] = [];
  if (!validate(values)) {
    for (const fault of validate.errors ?? []) {
      faults.push(`${fault.instancePath.slice(1) || fault.schemaPath} ${fault.message}`);
    }
  }
  for (const name of needs) if (values[name] === undefined) faults.push(`${name} must be set`);
  // Certificate files are checked only for the URLs that this process uses.
  const usedSettings: ReadonlySet<string> = new Set([...needs, 'DATABASE_SESSION_URL']);
  checkAddress('REDIS_URL', readRedisAddress, values, faults);
  const urlNotes: UrlNote[] = [];
  for (const name of databaseUrls) {
    const read = (url: string): void => {
      const { ignoredParameters = [], ssl } = readPostgresAddress(url, usedSettings.has(name));
      const isUnverified = ssl !== undefined && ssl !== false && ssl.rejectUnauthorized === false;
      if (usedSettings.has(name) && (ignoredParameters.length > 0 || isUnverified)) {
        urlNotes.push({ setting: name, ignored: ignoredParameters, isUnverified });
      }
    };
    checkAddress(name, read, values, faults);
  }
  if (typeof values.PUBLIC_URL === 'string') {
    values.PUBLIC_URL = values.PUBLIC_URL.replace(/\/$/, '');
    if (
      URL.canParse(String(values.PUBLIC_URL)) &&
      isAmbiguous(basePathOf(String(values.PUBLIC_URL)))
    ) {
      faults.push('PUBLIC_URL must not have a path that the service uses, such as /v1');
    }
  }
  const workers = parseWorkers(String(values.WORKERS ?? 'all'), faults);
  const webhookAllowCidrs = parseRanges('WEBHOOK_ALLOW_CIDRS', values, faults);
  const webhookDenyCidrs = parseRanges('WEBHOOK_DENY_CIDRS', values, faults);
  const signIn = readProvider(values as Environment, faults);
  const recogniser = readRecogniser(values as Environment, faults);
  const embeddings = readEmbeddingSettings(values as Environment, faults);
  const corsOrigins = parseOrigins(String(values.CORS_ORIGINS ?? ''), faults);
  if (values.NODE_ENV === 'production') {
    if (values.LOCAL_SIGN_IN_TOKEN)
      faults.push('LOCAL_SIGN_IN_TOKEN must not be set in production');
    // Otherwise, invitations and signed URLs would contain the Host header, which clients control.
    if (needs.some((name) => name === 'SIGNING_KEY') && !values.PUBLIC_URL) {
      faults.push(
        'PUBLIC_URL must be set in production, since signed URLs and invitations contain it',
      );
    }
    const localRanges = webhookAllowCidrs.filter(isLocalRange);
    if (localRanges.length > 0) {
      faults.push(
        `WEBHOOK_ALLOW_CIDRS must not contain ${localRanges.join(', ')} in production, which includes loopback or link-local addresses`,
      );
    }
  }
  if (faults.length > 0) throw new Error(`The configuration is invalid: ${faults.join('; ')}.`);
  const tracing = readTracingSettings(values as Environment);
  const parsed: ParsedSettings = {
    signIn,
    recogniser,
    embeddings,
    workers,
    webhookAllowCidrs,
    webhookDenyCidrs,
    corsOrigins,
    tracing,
    urlNotes,
  };
  return { ...(values as Environment), ...parsed } as Config & {
    [K in Needs]-?: NonNullable<Environment[K]>;
  };
}

/** Logs parameters of database URLs that have no effect or are unsafe. */
export function logUrlNotes(notes: readonly UrlNote[], logger: Logger): void {
  for (const { setting, ignored, isUnverified } of notes) {
    if (ignored.length > 0) {
      logger.info({ setting, parameters: ignored }, 'parameters of a URL have no effect');
    }
    if (isUnverified) {
      logger.warn(
        { setting },
        'the certificate of Postgres is not verified; use sslmode=verify-full',
      );
    }
  }
}

/** Adds a fault if a URL is invalid. */
function checkAddress(
  name: string,
  read: (url: string) => unknown,
  values: Record<string, unknown>,
  faults: string[],
): void {
  if (values[name] === undefined) return;
  try {
    read(String(values[name]));
  } catch (error) {
    if (!(error instanceof AddressError)) throw error;
    faults.push(`${name} ${error.message}`);
  }
}

/** The identity provider; null if none is set. Incomplete or invalid settings become faults. */
function readProvider(values: Environment, faults: string[]): ProviderSettings | null {
  const {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
  } = values;
  if (!issuer && !clientId && !clientSecret) return null;
  if (!issuer || !clientId || !clientSecret) {
    faults.push('OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set together');
    return null;
  }
  if (!isAllowedProviderUrl(issuer)) {
    faults.push('OIDC_ISSUER must be an https URL (http only on this machine)');
    return null;
  }
  let groupRoles: GroupRoles = new Map();
  try {
    groupRoles = parseGroupRoles(values.OIDC_ROLES ?? '{}');
  } catch (error) {
    faults.push(`OIDC_ROLES: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (values.OIDC_ROLES && !values.OIDC_ROLE_CLAIM) {
    faults.push('OIDC_ROLES requires OIDC_ROLE_CLAIM');
  }
  const name = values.OIDC_NAME ?? new URL(issuer).host;
  const roleClaim = values.OIDC_ROLE_CLAIM ?? null;
  return { issuer, clientId, clientSecret, name, timeoutSeconds: 5, roleClaim, groupRoles };
}

/** The external recogniser; null if none is set. Invalid settings become faults. */
function readRecogniser(values: Environment, faults: string[]): RecogniserSettings | null {
  const types = new Map<string, EntityType>();
  for (const entry of splitList(values.RECOGNISER_TYPES ?? '')) {
    const [, own = '', name = ''] = /^([^=]+)=(.+)$/.exec(entry) ?? [];
    const type = entityNames.find((known) => known === name.trim() && !isDrawnType(known));
    if (type) types.set(own.trim(), type);
    else faults.push(`RECOGNISER_TYPES must be a list such as ORG=ORGANIZATION, not '${entry}'`);
  }
  const text = values.RECOGNISER_URL;
  if (!text) return null;
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    faults.push('RECOGNISER_URL must be an http or https URL');
    return null;
  }
  const url = new URL(text);
  if (!/\/analyze\/?$/.test(url.pathname)) {
    url.pathname = `${url.pathname.replace(/\/$/, '')}/analyze`;
  }
  const { RECOGNISER_LANGUAGES: languages = 'en', RECOGNISER_TIMEOUT_SECONDS: seconds = 30 } =
    values;
  return { url, types, languages: splitList(languages), timeoutMs: seconds * 1_000 };
}

function isAllowedProviderUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback);
}

/**
 * As OpenTelemetry specifies: the URL for traces is used as is, and `/v1/traces` is appended to the
 * base URL.
 */
function readTracingSettings(values: Environment): TracingSettings {
  const baseUrl = values.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/+$/, '');
  const url =
    values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (baseUrl ? `${baseUrl}/v1/traces` : null);
  return {
    url: values.OTEL_SDK_DISABLED ? null : url,
    sampler: values.OTEL_TRACES_SAMPLER,
    ratio: values.OTEL_TRACES_SAMPLER_ARG,
  };
}

function parseWorkers(value: string, faults: string[]): readonly WorkerName[] {
  if (value === 'all') return workerNames;
  return splitList(value).flatMap((name) => {
    const known = workerNames.find((worker) => worker === name);
    if (!known)
      faults.push(
        `WORKERS contains the unknown queue '${name}' (expected all, or any of ${workerNames.join(', ')})`,
      );
    return known ? [known] : [];
  });
}

/** The IP ranges in a variable. Invalid ones become faults. */
function parseRanges(name: string, values: Record<string, unknown>, faults: string[]): string[] {
  return splitList(String(values[name] ?? '')).filter((cidr) => {
    try {
      createAddressPolicy({ allowCidrs: [cidr] });
      return true;
    } catch (error) {
      if (!(error instanceof AddressRangeError)) throw error;
      faults.push(`${name}: ${error.message.replace(/\.$/, '')}`);
      return false;
    }
  });
}

/** The origins in a list, as browsers send them. Invalid ones become faults. */
function parseOrigins(value: string, faults: string[]): string[] {
  const entries = splitList(value);
  if (entries.length === 1 && entries[0] === '*') return entries;
  return entries.filter((origin) => {
    const isExact =
      /^https?:/.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin;
    if (!isExact) {
      faults.push(
        `CORS_ORIGINS contains '${origin}', which is not an origin such as https://app.example.com (or * alone)`,
      );
    }
    return isExact;
  });
}

function splitList(value: string): string[] {
  return value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
