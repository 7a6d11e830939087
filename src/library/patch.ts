import { limits } from '@scriptorium/contracts/limits';
import type { Fault } from '@scriptorium/contracts/problems';
import type { ImagePatch } from '@scriptorium/contracts/wire/library/images';
import { checkMetadata, cleanTags, mergePatch } from './details.ts';
import type { Pair, WantedDetails } from './pair.ts';

/** Normalises the tags of a patch, and returns its faults that do not depend on the resource. */
export function cleanPatch(
  patch: ImagePatch,
  pointer: string,
): { patch: ImagePatch; faults: Fault[] } {
  const clean: ImagePatch = { ...patch };
  const faults: Fault[] = [];
  for (const field of ['tags', 'add_tags', 'remove_tags'] as const) {
    const given = patch[field];
    if (!given) continue;
    const cleaned = cleanTags(given, `${pointer}/${field}`);
    clean[field] = cleaned.tags;
    faults.push(...cleaned.faults);
    if (field !== 'tags' && patch.tags !== undefined) {
      faults.push({
        pointer: `${pointer}/${field}`,
        code: 'conflicting_field',
        detail: '`tags` replaces all tags. Send either `tags`, or `add_tags` and `remove_tags`.',
      });
    }
  }
  for (const [at, tag] of (clean.remove_tags ?? []).entries()) {
    if (!clean.add_tags?.includes(tag)) continue;
    const detail = 'The same tag cannot be both added and removed.';
    faults.push({ pointer: `${pointer}/remove_tags/${at}`, code: 'conflicting_tag', detail });
  }
  return { patch: clean, faults };
}

/** The new details after a patch, or the faults that prevent it. */
export function applyPatch(
  pair: Pair,
  patch: ImagePatch,
  pointer: string,
): { wanted: WantedDetails; faults: Fault[] } {
  const faults: Fault[] = [];
  const wanted: WantedDetails = {
    title: patch.title,
    description: patch.description,
    altText: patch.alt_text,
    rating: patch.rating,
  };
  if (patch.tags !== undefined) wanted.tags = patch.tags ?? [];
  else if (patch.add_tags || patch.remove_tags) {
    const removed = new Set(patch.remove_tags);
    const kept = pair.tags.filter((tag) => !removed.has(tag));
    wanted.tags = [...new Set([...kept, ...(patch.add_tags ?? [])])];
    if (wanted.tags.length > limits.tags_per_resource) {
      const detail = `There must be at most ${limits.tags_per_resource} tags; there would be ${wanted.tags.length}.`;
      faults.push({ pointer: `${pointer}/add_tags`, code: 'too_many', detail });
    }
  }
  if (patch.metadata !== undefined) {
    wanted.metadata = patch.metadata === null ? {} : mergePatch(pair.metadata, patch.metadata);
    faults.push(...checkMetadata(wanted.metadata, `${pointer}/metadata`));
  }
  return { wanted, faults };
}
