import { type EntityType, entityNames } from './entities.ts';

/**
 * Narrows a type in a profile: only findings that meet the condition are removed. The conditions
 * are implemented in `packages/pii/src/narrowing`.
 */
export const narrowings = {
  with_street: {
    type: 'ADDRESS',
    summary: 'Only with a street, a house number, a postal code or a post office box.',
  },
  personal_part: {
    type: 'URL',
    summary:
      'Only with a part that points to a person: a profile, a user, an e-mail address, a found name.',
  },
  beyond_year: {
    type: 'DATE_TIME',
    summary: 'Dates that contain more than the year; no times of day.',
  },
  smaller_than_state: {
    type: 'LOCATION',
    summary: 'Only places smaller than a state of the US; no countries.',
  },
  over_89: { type: 'AGE', summary: 'Only ages over 89.' },
} as const satisfies Record<string, { type: EntityType; summary: string }>;

export type Narrowing = keyof typeof narrowings;

interface Profile {
  title: string;
  summary: string;
  /** The source of the choice of types. */
  source: string;
  entities: readonly EntityType[];
  narrowed: readonly Narrowing[];
}

const typesExcept = (...excluded: EntityType[]): EntityType[] =>
  entityNames.filter((name) => !excluded.includes(name));

/** Types that identify a person, alone or with little other data. */
const personal = typesExcept(
  ...(['TITLE', 'ORGANIZATION', 'LOCATION', 'NRP', 'AGE', 'DATE_TIME'] as const),
  'SPECIAL_CATEGORY',
);

/** Named sets of types, for the option `entities` of `redact_pii`. */
export const profiles = {
  personal: {
    title: 'Personal data',
    summary:
      'Data that identifies a person: names, contact data, addresses, dates of birth, identifiers and accounts. Other dates, organisations, places without a street, titles, ages and nationalities stay.',
    source: 'GDPR Art. 4(1) and 87; NIST SP 800-122, 2.1',
    entities: personal,
    narrowed: ['with_street', 'personal_part'],
  },
  hipaa: {
    title: 'HIPAA Safe Harbor',
    summary:
      'The 18 identifiers of the Safe Harbor method, including those of employers: all dates except years, places smaller than a state, ages over 89.',
    source: '45 CFR 164.514(b)(2)(i)',
    entities: typesExcept('TITLE', 'NRP', 'SPECIAL_CATEGORY'),
    narrowed: ['beyond_year', 'smaller_than_state', 'over_89'],
  },
  pci: {
    title: 'PCI DSS',
    summary: 'Payment card numbers.',
    source: 'PCI DSS v4.0.1, requirement 3',
    entities: ['CREDIT_CARD'],
    narrowed: [],
  },
  gdpr: {
    title: 'GDPR',
    summary: 'As `personal`, with ages, and special categories of data beside a label.',
    source: 'GDPR Art. 4(1) and 9(1)',
    entities: [...personal, 'AGE', 'SPECIAL_CATEGORY'],
    narrowed: ['with_street', 'personal_part'],
  },
  all: {
    title: 'All kinds',
    summary: 'Every type, including those added later.',
    source: 'All types of this service',
    entities: entityNames,
    narrowed: [],
  },
} as const satisfies Record<string, Profile>;

export type ProfileName = keyof typeof profiles;
export const profileNames = Object.keys(profiles) as ProfileName[];

/** The profile of a redaction if its options do not name one. */
export const defaultProfile: ProfileName = 'personal';

/** The data to remove: a profile, or a list of types. */
export type RequestedEntities = ProfileName | readonly EntityType[];

/**
 * Returns the types that are still covered, in the form of `coveredBy`, if findings of some types
 * are kept.
 */
export function coveredWithout(
  covered: readonly string[] | null,
  excluded: readonly string[],
): readonly string[] | null {
  if (excluded.length === 0) return covered;
  const allNames = [...entityNames, ...profileNames.filter((name) => name !== 'all')];
  const isExcluded = (name: string): boolean => {
    const profile = profileNames.find((one) => one === name);
    return excluded.includes(name) || (profile ? excludesSome(profiles[profile].entities) : false);
  };
  const excludesSome = (types: readonly string[]): boolean =>
    types.some((one) => excluded.includes(one));
  return (covered ?? allNames).filter((name) => !isExcluded(name));
}

/** The requested types, and how they are narrowed. */
export function requestedTypes(
  entities: RequestedEntities,
): Pick<Profile, 'entities' | 'narrowed'> {
  return typeof entities === 'string' ? profiles[entities] : { entities, narrowed: [] };
}

/**
 * Returns the types and profiles that a redaction of these entities removes in full; null for all
 * types, including types that are added later.
 */
export function coveredBy(requested: RequestedEntities): readonly string[] | null {
  if (requested === 'all') return null;
  const { entities, narrowed } = requestedTypes(requested);
  const isCovered = (type: EntityType, allowed: readonly Narrowing[]): boolean =>
    entities.includes(type) &&
    narrowed.every((one) => narrowings[one].type !== type || allowed.includes(one));
  const coveredProfiles = profileNames.filter((name) => {
    const profile: Profile = profiles[name];
    return name !== 'all' && profile.entities.every((type) => isCovered(type, profile.narrowed));
  });
  return [...entities.filter((type) => isCovered(type, [])), ...coveredProfiles];
}
