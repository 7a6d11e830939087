import { limits } from '@scriptorium/contracts/limits';
import type { Fault } from '@scriptorium/contracts/problems';
import type { ImagePatch } from '@scriptorium/contracts/wire/library/images';
import { checkMetadata, cleanTags, mergePatch } from './details.ts';
import type { NewDetails, Pair } from './pair.ts';

/** Normalises the tags of a patch, and returns its faults that do not depend on the resource. */
export function cleanPatch(
  patch: ImagePatch,
  pointer: string,
): { patch: ImagePatch; faults: Fault[] } {
  const result: ImagePatch = { ...patch };
  const faults: Fault[] = [];
  for (const field of ['tags', 'add_tags', 'remove_tags'] as const) {
    const tags = patch[field];
    if (!tags) continue;
    const cleaned = cleanTags(tags, `${pointer}/${field}`);
    result[field] = cleaned.tags;
    faults.push(...cleaned.faults);
    if (field !== 'tags' && patch.tags !== undefined) {
      faults.push({
        pointer: `${pointer}/${field}`,
        code: 'conflicting_field',
        detail: '`tags` replaces all tags. Send either `tags`, or `add_tags` and `remove_tags`.',
      });
    }
  }
  for (const [at, tag] of (result.remove_tags ?? []).entries()) {
    if (!result.add_tags?.includes(tag)) continue;
    const detail = 'The same tag cannot be both added and removed.';
    faults.push({ pointer: `${pointer}/remove_tags/${at}`, code: 'conflicting_tag', detail });
  }
  return { patch: result, faults };
}

/** The new details after a patch, or the faults that prevent it. */
export function applyPatch(
  pair: Pair,
  patch: ImagePatch,
  pointer: string,
): { newDetails: NewDetails; faults: Fault[] } {
  const faults: Fault[] = [];
  const newDetails: NewDetails = {
    title: patch.title,
    description: patch.description,
    altText: patch.alt_text,
    rating: patch.rating,
  };
  if (patch.tags !== undefined) newDetails.tags = patch.tags ?? [];
  else if (patch.add_tags || patch.remove_tags) {
    const removed = new Set(patch.remove_tags);
    const kept = pair.tags.filter((tag) => !removed.has(tag));
    newDetails.tags = [...new Set([...kept, ...(patch.add_tags ?? [])])];
    if (newDetails.tags.length > limits.tags_per_resource) {
      const detail = `There must be at most ${limits.tags_per_resource} tags; there would be ${newDetails.tags.length}.`;
      faults.push({ pointer: `${pointer}/add_tags`, code: 'too_many', detail });
    }
  }
  if (patch.metadata !== undefined) {
    newDetails.metadata = patch.metadata === null ? {} : mergePatch(pair.metadata, patch.metadata);
    faults.push(...checkMetadata(newDetails.metadata, `${pointer}/metadata`));
  }
  return { newDetails, faults };
}
