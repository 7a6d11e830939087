import type { Entities, PolicyAction, Trait } from '../../contracts/rules.ts';

/** Something a rule asks about: known, not known, or without a meaning here. */
export type Fact<T> =
  | { state: 'known'; value: T }
  | { state: 'unknown' }
  | { state: 'not_applicable' };

export const known = <T>(value: T): Fact<T> => ({ state: 'known', value });
export const unknown: Fact<never> = { state: 'unknown' };
export const notApplicable: Fact<never> = { state: 'not_applicable' };
/** Null is what nobody has found out. */
export const knownUnlessNull = <T>(value: T | null): Fact<T> =>
  value === null ? unknown : known(value);

/** Which personal data an object is verified to be free of, and which verified outputs it has. */
export interface Redactions {
  /** What it, or what it was made from, was redacted of. */
  covers: readonly Entities[];
  /** Verified outputs, the newest first. */
  outputs: readonly { objectId: string; entities: Entities; allPages: boolean }[];
}

/** How bytes are asked for: by a signed URL of a lifetime, or with a key. */
export type Signing = { signed: true; ttlSeconds: number } | { signed: false };

/** Everything rules ask about. */
export interface Facts {
  /** What the bytes are. */
  mime: Fact<string>;
  traits: Fact<readonly Trait[]>;
  bytes: Fact<number>;
  /** Width times height. */
  pixels: Fact<number>;
  pages: Fact<number>;
  /** Those of what it was made from included, as are tags and collections. */
  labels: Fact<readonly string[]>;
  tags: Fact<readonly string[]>;
  /** With the collections these are nested in. */
  collections: Fact<readonly string[]>;
  /** Since it was created, in days and parts of days. */
  ageDays: Fact<number>;
  redactions: Fact<Redactions>;
  /** The caller's address. */
  address: Fact<string>;
  /** When it is asked; what a worker goes on with was asked before. */
  time: Fact<Date>;
  signing: Fact<Signing>;
}
export type FactName = keyof Facts;

/** Sticky rules a resource came under: `policy rule` pairs, whatever its tags are now. */
export interface Hold {
  policyId: string;
  ruleType: string;
}

/**
 * What an action needs of a fact. `must`: without it, it is refused. `later`: it will be found out,
 * until then the answer is pending. `never`: the action has no such fact, and rules about it pass.
 */
type Standing = 'must' | 'later' | 'never';

const content = { mime: 'must', traits: 'must', bytes: 'must' } as const;
const place = { tags: 'must', collections: 'must', address: 'must', time: 'must' } as const;
const shown = {
  ...content,
  ...place,
  pixels: 'must',
  pages: 'must',
  labels: 'must',
  ageDays: 'never',
  redactions: 'must',
} as const;

/** Which facts each action has. Complete: a new action or fact does not compile without its place. */
export const factTable: Record<PolicyAction, Record<FactName, Standing>> = {
  upload: {
    mime: 'later',
    traits: 'later',
    bytes: 'later',
    pixels: 'later',
    pages: 'later',
    // Only a job on the stored object could tell, and it is in no collection yet.
    labels: 'never',
    tags: 'later',
    collections: 'never',
    ageDays: 'never',
    redactions: 'never',
    address: 'must',
    time: 'must',
    signing: 'never',
  },
  read: { ...shown, signing: 'never' },
  download: { ...shown, signing: 'must' },
  sign: { ...shown, signing: 'must' },
  process: {
    ...content,
    ...place,
    // A job finds these out: it starts, and fails once they are known to be too many.
    pixels: 'later',
    pages: 'later',
    labels: 'later',
    ageDays: 'never',
    redactions: 'never',
    signing: 'never',
  },
  delete: {
    mime: 'must',
    traits: 'must',
    bytes: 'never',
    pixels: 'never',
    pages: 'never',
    labels: 'must',
    ...place,
    ageDays: 'must',
    redactions: 'never',
    signing: 'never',
  },
};
