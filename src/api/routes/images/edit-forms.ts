import type { IncomingMessage } from 'node:http';
import { type Fault, invalid, Problem } from '@scriptorium/contracts/problems';
import type { ImageEdits } from '@scriptorium/contracts/wire/library/image-edits';
import { ImagePatch } from '@scriptorium/contracts/wire/library/images';
import { pointTo } from '../../../library/filter-faults.ts';
import type { AlikeEdit, ImageEdit } from '../../../library/images/edit.ts';
import { imageFilterFaults } from '../../../library/images/search/filters.ts';
import { cleanPatch } from '../../../library/patch.ts';
import { readIfMatch } from '../../frame/answers/preconditions.ts';

type Form = 'id' | 'ids' | 'updates' | 'filter';

/** The fields that each form requires and allows besides the one that names it. */
const forms: Record<Form, { needs: string[]; may: string[] }> = {
  id: { needs: [], may: ['if_match', ...Object.keys(ImagePatch.properties)] },
  ids: { needs: ['patch'], may: [] },
  updates: { needs: [], may: [] },
  filter: { needs: ['expected_count', 'patch'], may: [] },
};
const formNames = Object.keys(forms) as Form[];

/** The requested edits: one per image, or one patch for all matches. */
type Selection = { edits: ImageEdit[]; alike?: undefined } | { edits: []; alike: AlikeEdit };

/**
 * Reads the edits from a body in one of the four forms.
 * @throws Problem 422 for a body with no form or several, 400 for an If-Match that does not apply
 */
export function readSelection(body: ImageEdits, headers: IncomingMessage['headers']): Selection {
  const form = formOf(body);
  const header = headers['if-match'];
  const tags = header === undefined ? '*' : readIfMatch(header);
  if (form !== 'id' && tags !== '*') {
    const detail =
      form === 'updates'
        ? 'The If-Match header is not allowed with `updates`. Use `if_match` next to each `id`.'
        : `The If-Match header is not allowed with \`${form}\`. Use \`updates\` with \`if_match\`.`;
    throw new Problem('malformed_request', detail, {
      errors: [{ header: 'If-Match', code: 'not_allowed', detail }],
    });
  }
  const faults = pointTo('/filter', imageFilterFaults(body.filter ?? {}));
  const clean = (patch: ImagePatch, pointer: string): ImagePatch => {
    const cleaned = cleanPatch(patch, pointer);
    faults.push(...cleaned.faults);
    return cleaned.patch;
  };
  const selection = select(body, form, tags, clean);
  faults.push(...duplicatesIn(selection.edits));
  if (faults.length > 0) throw invalid(faults);
  return selection;
}

function select(
  body: ImageEdits,
  form: Form,
  tags: string[] | '*',
  clean: (patch: ImagePatch, pointer: string) => ImagePatch,
): Selection {
  const {
    id = '',
    if_match,
    ids,
    updates,
    filter,
    expected_count,
    patch = {},
    on_error,
    ...fields
  } = body;
  switch (form) {
    case 'id': {
      const where = if_match ? { pointer: '/if_match' } : { header: 'If-Match' };
      const pointers = { id: '/id', versions: where, patch: '' };
      const versions = both(versionsOf(tags), versionsOf(if_match ? [if_match] : '*'));
      return { edits: [{ id, versions, patch: clean(fields, ''), pointers }] };
    }
    case 'ids': {
      const cleaned = clean(patch, '/patch');
      return {
        edits: (ids ?? []).map((one, at) => ({
          id: one,
          versions: null,
          patch: cleaned,
          pointers: { id: `/ids/${at}`, versions: {}, patch: '/patch' },
        })),
      };
    }
    case 'updates':
      return {
        edits: (updates ?? []).map((update, at) => {
          const pointer = `/updates/${at}`;
          return {
            id: update.id,
            versions: versionsOf(update.if_match ? [update.if_match] : '*'),
            patch: clean(update.patch, `${pointer}/patch`),
            pointers: {
              id: `${pointer}/id`,
              versions: { pointer: `${pointer}/if_match` },
              patch: `${pointer}/patch`,
            },
          };
        }),
      };
    case 'filter':
      return {
        edits: [],
        alike: {
          filters: filter ?? {},
          expectedCount: expected_count ?? 0,
          patch: clean(patch, '/patch'),
          pointers: { id: '/filter', versions: {}, patch: '/patch' },
        },
      };
  }
}

/** The form of a body. */
function formOf(body: ImageEdits): Form {
  const [form, ...others] = formNames.filter((name) => name in body);
  if (!form) {
    const detail = 'Exactly one of `id`, `ids`, `updates` and `filter` is required.';
    throw invalid([{ pointer: '', code: 'required', detail, allowed: formNames }]);
  }
  const { needs, may } = forms[form];
  const known = [form, ...needs, ...may, 'on_error'];
  const faults: Fault[] = Object.keys(body)
    .filter((name) => !known.includes(name))
    .map((name) => ({
      pointer: `/${name}`,
      code: 'conflicting_field',
      detail: others.includes(name as Form)
        ? `Send exactly one of \`id\`, \`ids\`, \`updates\` and \`filter\`. The body also has \`${form}\`.`
        : `\`${name}\` is not allowed with \`${form}\`.`,
    }));
  for (const name of needs.filter((needed) => !(needed in body))) {
    const detail = `\`${name}\` is required with \`${form}\`.`;
    faults.push({ pointer: `/${name}`, code: 'required', detail });
  }
  if (faults.length > 0) throw invalid(faults);
  return form;
}

function duplicatesIn(edits: readonly ImageEdit[]): Fault[] {
  const seen = new Set<string>();
  return edits.flatMap(({ id, pointers }) => {
    if (!seen.has(id)) {
      seen.add(id);
      return [];
    }
    const detail = `'${id}' appears twice.`;
    return [{ pointer: pointers.id ?? '', code: 'duplicate_item', detail }];
  });
}

/** The versions of entity tags. An unknown tag matches nothing. */
function versionsOf(tags: readonly string[] | '*'): number[] | null {
  if (tags === '*') return null;
  return tags.map((tag) => Number(/^"([1-9]\d{0,9})"$/.exec(tag)?.[1] ?? Number.NaN));
}

/** The versions in both lists. */
function both(one: number[] | null, other: number[] | null): number[] | null {
  if (!one || !other) return one ?? other;
  return one.filter((version) => other.includes(version));
}
