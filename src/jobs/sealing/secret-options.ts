import type { OperationName } from '@scriptorium/contracts/operations';
import type { PageSeal } from './page-content.ts';

/**
 * Options of a redaction that may contain personal data: custom patterns and the allow list. They are
 * stored sealed, and shown only to callers that may read personal data.
 */
interface SecretOptions {
  custom_patterns: { name: string; pattern: string; case_sensitive: boolean }[];
  allow_list: string[];
}

type Options = Readonly<Record<string, unknown>>;

/** What is stored in their place: their number and the patterns' names. */
interface Sealed {
  sealed: string;
  patterns: { name: string; case_sensitive: boolean }[];
  allowed: number;
}

/** An operation with its options, given or stored. */
interface WithOptions {
  op: OperationName;
  options: Options;
}

/**
 * The context in which options are sealed: the source, not the job, because a retry opens them too;
 * or a preset.
 */
type OptionsPlace =
  | { projectId: string; sourceObjectId: string }
  | { projectId: string; presetId: string };

/** Reads options: opens sealed ones, if they may be shown. */
export interface OptionsReader {
  unseal: PageSeal['unseal'];
  mayReadPii: boolean;
}

const key = 'sealed_options';

function secretsOf(options: Options): SecretOptions | null {
  if (!('custom_patterns' in options) || !('allow_list' in options)) return null;
  // The options were validated against the operation's schema.
  const { custom_patterns, allow_list } = options as unknown as SecretOptions;
  return custom_patterns.length + allow_list.length > 0 ? { custom_patterns, allow_list } : null;
}

/** Seals options for storing. */
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

/** Opens stored options. */
export function openOptions(
  { unseal }: Pick<PageSeal, 'unseal'>,
  job: OptionsPlace,
  { op, options }: WithOptions,
): Options {
  if (!(key in options)) return options;
  const { [key]: stored, ...rest } = options;
  // GCM authenticates that `sealOptions` sealed it.
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

/** Options that are not sealed, for callers that may not read personal data. */
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

function sealedPlace(place: OptionsPlace, op: OperationName) {
  const holder = 'presetId' in place ? place.presetId : place.sourceObjectId;
  return ['job_options', place.projectId, holder, op] as const;
}
