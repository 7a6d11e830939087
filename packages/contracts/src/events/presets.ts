import { type Static, Type } from 'typebox';
import { operationNames } from '../operations.ts';
import { changes, domain, strict } from './event-type.ts';

const presetFacts = Type.Object(
  { name: Type.String(), operations: Type.Array(Type.Enum(operationNames)) },
  strict,
);
const presetExample: Static<typeof presetFacts> = {
  name: 'Claims',
  operations: ['redact_pii', 'normalize_for_llm'],
};

/** Presets of document jobs. */
export const presetEvents = {
  'documents.preset.created': domain('preset', 'A preset was created.', presetFacts, presetExample),
  'documents.preset.updated': domain(
    'preset',
    'The name, description or operations of a preset changed.',
    changes,
    { changed: ['operations'] },
  ),
  'documents.preset.deleted': domain('preset', 'A preset was deleted.', presetFacts, presetExample),
} as const;
