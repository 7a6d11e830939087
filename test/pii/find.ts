import type { EntityType } from '@scriptorium/contracts/documents/entities';
import { createDetector } from '@scriptorium/pii';
import type { Detector, DetectorOptions, PiiFinding } from '@scriptorium/pii/finding';
import { type PatternType, patternTypes } from '@scriptorium/pii/registry';
import { findByForm } from '../../packages/pii/src/find-by-form.ts';
import { textViewOf } from '../../packages/pii/src/view.ts';

/** Recognisers of formatted values; the tagger has its own tests. */
export const everything: DetectorOptions = {
  entities: patternTypes,
  minConfidence: 0.5,
  customPatterns: [],
  allowList: [],
};

const detect = createDetector({ ...everything, entities: patternTypes });
const only = new Map(
  patternTypes.map((type): [EntityType, Detector] => [
    type,
    createDetector({ ...everything, entities: [type] }),
  ]),
);

/** The findings of formatted values in a text, as `TYPE value`; the tagger has its own tests. */
export function found(text: string, recognised = false): string[] {
  return told(text, detect(text, { recognised }));
}

/** The values of one type, with no other type searched for. */
export function foundAs(type: EntityType, text: string, recognised = false): string[] {
  const findings = only.get(type)?.(text, { recognised }) ?? [];
  return findings.map(({ start, end }) => text.slice(start, end));
}

/** The values of one type by their form, whatever their labels. */
export function formedAs(type: PatternType, text: string, recognised = false): string[] {
  const view = textViewOf(text, recognised);
  return findByForm(view, [type], everything.minConfidence)
    .filter(({ score }) => score >= everything.minConfidence)
    .map(({ start, end }) => text.slice(start, end));
}

export function told(text: string, findings: readonly PiiFinding[]): string[] {
  return findings.map(({ type, start, end }) => `${type} ${text.slice(start, end)}`);
}
