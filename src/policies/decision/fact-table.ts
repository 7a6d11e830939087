import type {
  FileType,
  PolicyAction,
  RedactionCoverage,
  Trait,
} from '@scriptorium/contracts/rules';

/**
 * A fact that rules use: known, unknown, or not applicable. For an unknown list, `atLeast` has the
 * items that are known to be in it.
 */
export type Fact<T> =
  | { state: 'known'; value: T }
  | { state: 'unknown'; atLeast?: T }
  | { state: 'not_applicable' };

export const known = <T>(value: T): Fact<T> => ({ state: 'known', value });
export const unknown: Fact<never> = { state: 'unknown' };
export const notApplicable: Fact<never> = { state: 'not_applicable' };
/** Null means unknown. */
export const knownUnlessNull = <T>(value: T | null): Fact<T> =>
  value === null ? unknown : known(value);

/** The personal data that an object is verified to be free of, and its verified outputs. */
export interface Redactions {
  /** The kinds of data that were redacted from the object or its sources. */
  covers: readonly RedactionCoverage[];
  /** Verified outputs, newest first. */
  outputs: readonly (RedactionCoverage & { objectId: string; allPages: boolean })[];
}

/** How bytes are requested: by a signed URL with a lifetime, or with a key. */
export type Signing = { signed: true; ttlSeconds: number } | { signed: false };

/** All facts that rules use. */
export interface Facts {
  /** The type of the bytes. */
  mime: Fact<string>;
  traits: Fact<readonly Trait[]>;
  /**
   * The types of its sources: conditions of policies apply to outputs as to their sources.
   */
  sourceTypes: Fact<readonly FileType[]>;
  bytes: Fact<number>;
  /** Width times height. */
  pixels: Fact<number>;
  pages: Fact<number>;
  /** Includes those of its sources, as for tags and collections. */
  labels: Fact<readonly string[]>;
  tags: Fact<readonly string[]>;
  /** Includes the collections that these are nested in. */
  collections: Fact<readonly string[]>;
  /** Since its creation, in days, with fractions. */
  ageDays: Fact<number>;
  redactions: Fact<Redactions>;
  /** The unreviewed operations that created the object or its sources. */
  unreviewed: Fact<readonly string[]>;
  /** The caller's address. */
  address: Fact<string>;
  /** The time of the request. Not applicable to workers. */
  time: Fact<Date>;
  signing: Fact<Signing>;
}
export type FactName = keyof Facts;

/**
 * Sticky rules that apply to a resource, as `policy rule` pairs, regardless of its current tags.
 */
export interface Hold {
  policyId: string;
  ruleType: string;
}

/**
 * Whether an action needs a fact. `must`: without the fact, it is denied. `later`: the fact will become
 * known, and the decision is pending until then. `never`: the fact does not apply, and rules about it pass.
 */
type FactRequirement = 'must' | 'later' | 'never';

const contentFacts = { mime: 'must', traits: 'must', sourceTypes: 'must', bytes: 'must' } as const;
const contextFacts = { tags: 'must', collections: 'must', address: 'must', time: 'must' } as const;
const displayFacts = {
  ...contentFacts,
  ...contextFacts,
  pixels: 'must',
  pages: 'must',
  labels: 'must',
  ageDays: 'never',
  redactions: 'must',
  unreviewed: 'must',
} as const;

/** The facts of each action. Complete: a new action or fact without an entry does not compile. */
export const factTable: Record<PolicyAction, Record<FactName, FactRequirement>> = {
  upload: {
    mime: 'later',
    traits: 'later',
    sourceTypes: 'never',
    bytes: 'later',
    pixels: 'later',
    pages: 'later',
    // Only a job on a stored object could provide these, and the object is not in a collection yet.
    labels: 'never',
    tags: 'later',
    collections: 'never',
    ageDays: 'never',
    redactions: 'never',
    unreviewed: 'never',
    address: 'must',
    time: 'must',
    signing: 'never',
  },
  read: { ...displayFacts, signing: 'never' },
  download: { ...displayFacts, signing: 'must' },
  sign: { ...displayFacts, signing: 'must' },
  process: {
    ...contentFacts,
    ...contextFacts,
    // The job determines these: it starts, and fails if a maximum is exceeded.
    pixels: 'later',
    pages: 'later',
    labels: 'later',
    ageDays: 'never',
    redactions: 'never',
    unreviewed: 'never',
    signing: 'never',
  },
  delete: {
    mime: 'must',
    traits: 'must',
    sourceTypes: 'must',
    bytes: 'never',
    pixels: 'never',
    pages: 'never',
    labels: 'must',
    ...contextFacts,
    ageDays: 'must',
    redactions: 'never',
    unreviewed: 'never',
    signing: 'never',
  },
};
