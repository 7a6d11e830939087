import { type Static, Type } from 'typebox';
import { operationNames } from '../operations.ts';
import { changedFields, domainEvent, strictOptions } from './event-type.ts';

const presetFacts = Type.Object(
  { name: Type.String(), operations: Type.Array(Type.Enum(operationNames)) },
  strictOptions,
);
const presetExample: Static<typeof presetFacts> = {
  name: 'Claims',
  operations: ['redact_pii', 'normalize_for_llm'],
};

/** Presets of document jobs. */
export const presetEvents = {
  'documents.preset.created': domainEvent(
    'preset',
    'A preset was created.',
    presetFacts,
    presetExample,
  ),
  'documents.preset.updated': domainEvent(
    'preset',
    'The name, description or operations of a preset changed.',
    changedFields,
    { changed: ['operations'] },
  ),
  'documents.preset.deleted': domainEvent(
    'preset',
    'A preset was deleted.',
    presetFacts,
    presetExample,
  ),
} as const;
