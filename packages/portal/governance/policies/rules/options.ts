import { entityNames } from '@scriptorium/contracts/documents/entities';
import { documentLabels } from '@scriptorium/contracts/documents/labels';
import { profileNames, profiles } from '@scriptorium/contracts/documents/profiles';
import { entityTitle } from '../../../kit/entity-titles.ts';
import { describeType } from './descriptions.ts';

const commonTypes = [
  'image/*',
  'application/pdf',
  'image/jpeg',
  'image/png',
  'image/tiff',
  'image/webp',
  'image/svg+xml',
  'text/*',
  'video/*',
  'application/zip',
] as const;
/** The types offered, including executables and scripts. */
export const typeOptions = [
  ...commonTypes,
  '*/*;executable',
  '*/*;scripted',
  'image/svg+xml;scripted',
].map((type) => [type, sentenceCase(describeType(type))] as const);

export const labelOptions = Object.keys(documentLabels).map(
  (label) => [label, sentenceCase(label.replaceAll('_', ' '))] as const,
);
export const entityOptions = entityNames.map((name) => [name, entityTitle(name)] as const);

export const profileOptions = profileNames.map((name) => [name, profiles[name].title] as const);

export function sentenceCase(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
