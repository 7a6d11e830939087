import type { OperationName } from '../contracts/operations.ts';
import type { PageSeal } from './page-secrets.ts';

/**
 * Options of a redaction that say what is personal: a client's own patterns and what is never removed.
 * They are stored sealed, and shown only to those who may read personal data.
 */
interface SecretOptions {
  custom_patterns: { name: string; pattern: string; case_sensitive: boolean }[];
  allow_list: string[];
}

type Options = Readonly<Record<string, unknown>>;

/** What is stored in place of them: how many there are, and the patterns' names. */
interface Sealed {
  sealed: string;
  patterns: { name: string; case_sensitive: boolean }[];
  allowed: number;
}

/** An operation, with the options that it is given or that are stored of it. */
interface WithOptions {
  op: OperationName;
  options: Options;
}

/** The job of an operation. A retry opens the options of another job, on the same source. */
interface OptionsPlace {
  projectId: string;
  sourceObjectId: string;
}

/** Who is shown options: what opens those that are sealed, and whether that may be shown. */
export interface OptionsReader {
  unseal: PageSeal['unseal'];
  mayReadPii: boolean;
}

const key = 'sealed_options';

function secretsOf(options: Options): SecretOptions | null {
  if (!('custom_patterns' in options) || !('allow_list' in options)) return null;
  // They were checked against the operation's schema.
  const { custom_patterns, allow_list } = options as unknown as SecretOptions;
  return custom_patterns.length + allow_list.length > 0 ? { custom_patterns, allow_list } : null;
}

/** Options as they are stored. */
export function sealOptions(
  { seal }: Pick<PageSeal, 'seal'>,
  job: OptionsPlace,
  { op, options }: WithOptions,
): Options {
  const secrets = secretsOf(options);
  if (!secrets) return options;
  const { custom_patterns: _patterns, allow_list: _allowed, ...rest } = options;
  const stored: Sealed = {
    sealed: seal(JSON.stringify(secrets), sealedPlace(job, op)),
    patterns: secrets.custom_patterns.map(({ name, case_sensitive }) => ({ name, case_sensitive })),
    allowed: secrets.allow_list.length,
  };
  return { ...rest, [key]: stored };
}

/** Stored options as they were asked for. */
export function openOptions(
  { unseal }: Pick<PageSeal, 'unseal'>,
  job: OptionsPlace,
  { op, options }: WithOptions,
): Options {
  if (!(key in options)) return options;
  const { [key]: stored, ...rest } = options;
  // What GCM opens is what `sealOptions` sealed.
  const secrets = JSON.parse(
    unseal((stored as Sealed).sealed, sealedPlace(job, op)),
  ) as SecretOptions;
  return { ...rest, ...secrets };
}

/** Stored options as the API shows them. */
export function shownOptions(
  reader: OptionsReader,
  job: OptionsPlace,
  operation: WithOptions,
): Record<string, unknown> {
  if (reader.mayReadPii) return { ...openOptions(reader, job, operation) };
  const { options } = operation;
  if (key in options) {
    const { [key]: stored, ...rest } = options;
    const { patterns, allowed } = stored as Sealed;
    return { ...rest, ...hidden(patterns, allowed) };
  }
  return withoutSecrets(options);
}

/** Options that are not sealed, as those are shown them who may not read personal data. */
export function withoutSecrets(options: Options): Record<string, unknown> {
  const secrets = secretsOf(options);
  if (!secrets) return { ...options };
  return { ...options, ...hidden(secrets.custom_patterns, secrets.allow_list.length) };
}

function hidden(patterns: Sealed['patterns'], allowed: number): Record<string, unknown> {
  return {
    custom_patterns: patterns.map(({ name, case_sensitive }) => ({
      ...{ name, pattern: null, case_sensitive },
    })),
    allow_list: allowed === 0 ? [] : null,
    allow_list_count: allowed,
  };
}

function sealedPlace({ projectId, sourceObjectId }: OptionsPlace, op: OperationName) {
  return ['job_options', projectId, sourceObjectId, op] as const;
}
