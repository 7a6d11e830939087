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

/** The stored form: the sealed options, the number of allowed values and the names of patterns. */
interface SealedOptions {
  sealed: string;
  patterns: { name: string; case_sensitive: boolean }[];
  allowed: number;
}

/** An operation with its options, given or stored. */
interface SealableOperation {
  op: OperationName;
  options: Options;
}

/**
 * The context in which options are sealed: the source, not the job, because a retry opens them too;
 * or a preset.
 */
type OptionsContext =
  | { projectId: string; sourceObjectId: string }
  | { projectId: string; presetId: string };

/** The rights of a caller that reads options. */
export interface OptionsReader {
  unseal: PageSeal['unseal'];
  mayReadPii: boolean;
}

const sealedKey = 'sealed_options';

function secretsOf(options: Options): SecretOptions | null {
  if (!('custom_patterns' in options) || !('allow_list' in options)) return null;
  // The options were validated against the operation's schema.
  const { custom_patterns, allow_list } = options as unknown as SecretOptions;
  return custom_patterns.length + allow_list.length > 0 ? { custom_patterns, allow_list } : null;
}

/** Seals options for storing. */
export function sealOptions(
  { seal }: Pick<PageSeal, 'seal'>,
  context: OptionsContext,
  { op, options }: SealableOperation,
): Options {
  const secrets = secretsOf(options);
  if (!secrets) return options;
  const { custom_patterns: _patterns, allow_list: _allowed, ...rest } = options;
  const stored: SealedOptions = {
    sealed: seal(JSON.stringify(secrets), sealContextOf(context, op)),
    patterns: secrets.custom_patterns.map(({ name, case_sensitive }) => ({ name, case_sensitive })),
    allowed: secrets.allow_list.length,
  };
  return { ...rest, [sealedKey]: stored };
}

/** Opens stored options. */
export function openOptions(
  { unseal }: Pick<PageSeal, 'unseal'>,
  context: OptionsContext,
  { op, options }: SealableOperation,
): Options {
  if (!(sealedKey in options)) return options;
  const { [sealedKey]: stored, ...rest } = options;
  // GCM authenticates that `sealOptions` sealed it.
  const secrets = JSON.parse(
    unseal((stored as SealedOptions).sealed, sealContextOf(context, op)),
  ) as SecretOptions;
  return { ...rest, ...secrets };
}

/** Stored options as the API shows them. */
export function presentOptions(
  reader: OptionsReader,
  context: OptionsContext,
  operation: SealableOperation,
): Record<string, unknown> {
  if (reader.mayReadPii) return { ...openOptions(reader, context, operation) };
  const { options } = operation;
  if (sealedKey in options) {
    const { [sealedKey]: stored, ...rest } = options;
    const { patterns, allowed } = stored as SealedOptions;
    return { ...rest, ...maskedSecrets(patterns, allowed) };
  }
  return withoutSecrets(options);
}

/** Options that are not sealed, for callers that may not read personal data. */
export function withoutSecrets(options: Options): Record<string, unknown> {
  const secrets = secretsOf(options);
  if (!secrets) return { ...options };
  return { ...options, ...maskedSecrets(secrets.custom_patterns, secrets.allow_list.length) };
}

function maskedSecrets(
  patterns: SealedOptions['patterns'],
  allowedCount: number,
): Record<string, unknown> {
  return {
    custom_patterns: patterns.map(({ name, case_sensitive }) => ({
      name,
      pattern: null,
      case_sensitive,
    })),
    allow_list: allowedCount === 0 ? [] : null,
    allow_list_count: allowedCount,
  };
}

function sealContextOf(context: OptionsContext, op: OperationName) {
  const ownerId = 'presetId' in context ? context.presetId : context.sourceObjectId;
  return ['job_options', context.projectId, ownerId, op] as const;
}
