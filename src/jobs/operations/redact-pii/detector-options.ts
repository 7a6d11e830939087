import { requestedTypes } from '@scriptorium/contracts/documents/profiles';
import type { OperationOptions } from '@scriptorium/contracts/operations';
import type { DetectorOptions } from '@scriptorium/pii/finding';

/** The types and patterns to find, from the options. */
export function detectorOptionsOf(options: OperationOptions<'redact_pii'>): DetectorOptions {
  const { entities, narrowed } = requestedTypes(options.entities);
  const { keep = [] } = options;
  return {
    entities: entities.filter((type) => !keep.includes(type)),
    narrowed,
    minConfidence: options.min_confidence,
    customPatterns: options.custom_patterns,
    allowList: options.allow_list,
  };
}
