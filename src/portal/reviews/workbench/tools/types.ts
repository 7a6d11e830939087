import { entityNames } from '../../../../contracts/documents/entities.ts';
import type { NewFinding } from '../../../../contracts/wire/reviews.ts';
import { entityTitle } from '../../../kit/entity-titles.ts';

/** The types that a person can assign, as options of a field. */
export const typeOptions: readonly (readonly [NewFinding['type'], string])[] = [
  ...entityNames.map((name) => [name, entityTitle(name)] as const),
  ['CUSTOM_OTHER', entityTitle('CUSTOM_OTHER')],
];

/** The assignable type with this name. */
export function typeNamed(name: string): NewFinding['type'] {
  return typeOptions.find(([one]) => one === name)?.[0] ?? 'CUSTOM_OTHER';
}
