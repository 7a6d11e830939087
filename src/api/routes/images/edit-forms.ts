import type { IncomingMessage } from 'node:http';
import { type Fault, Problem, validationFailed } from '@scriptorium/contracts/problems';
import type { ImageEdits } from '@scriptorium/contracts/wire/library/image-edits';
import { ImagePatch } from '@scriptorium/contracts/wire/library/images';
import { withPointers } from '../../../library/filter-faults.ts';
import type { FilterEdit, ImageEdit } from '../../../library/images/edit.ts';
import { imageFilterFaults } from '../../../library/images/search/filters.ts';
import { cleanPatch } from '../../../library/patch.ts';
import { readIfMatch } from '../../frame/responses/preconditions.ts';

type Form = 'id' | 'ids' | 'updates' | 'filter';

/** The fields that each form requires and allows, in addition to the field that identifies it. */
const forms: Record<Form, { required: string[]; optional: string[] }> = {
  id: { required: [], optional: ['if_match', ...Object.keys(ImagePatch.properties)] },
  ids: { required: ['patch'], optional: [] },
  updates: { required: [], optional: [] },
  filter: { required: ['expected_count', 'patch'], optional: [] },
};
const formNames = Object.keys(forms) as Form[];

/** The requested edits: one per image, or one patch for all matching images. */
type Selection =
  | { edits: ImageEdit[]; matchingEdit?: undefined }
  | { edits: []; matchingEdit: FilterEdit };

/**
 * Reads the edits from a body in one of the four forms.
 * @throws Problem 422 for a body with no form or several, 400 for an If-Match that does not apply
 */
export function readSelection(body: ImageEdits, headers: IncomingMessage['headers']): Selection {
  const form = formOf(body);
  const header = headers['if-match'];
  const etags = header === undefined ? '*' : readIfMatch(header);
  if (form !== 'id' && etags !== '*') {
    const detail =
      form === 'updates'
        ? 'The If-Match header is not allowed with `updates`. Use `if_match` next to each `id`.'
        : `The If-Match header is not allowed with \`${form}\`. Use \`updates\` with \`if_match\`.`;
    throw new Problem('malformed_request', detail, {
      errors: [{ header: 'If-Match', code: 'not_allowed', detail }],
    });
  }
  const faults = withPointers('/filter', imageFilterFaults(body.filter ?? {}));
  const clean = (patch: ImagePatch, pointer: string): ImagePatch => {
    const cleaned = cleanPatch(patch, pointer);
    faults.push(...cleaned.faults);
    return cleaned.patch;
  };
  const selection = select(body, form, etags, clean);
  faults.push(...duplicatesIn(selection.edits));
  if (faults.length > 0) throw validationFailed(faults);
  return selection;
}

function select(
  body: ImageEdits,
  form: Form,
  etags: string[] | '*',
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
      const versions = intersectVersions(
        versionsOf(etags),
        versionsOf(if_match ? [if_match] : '*'),
      );
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
        matchingEdit: {
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
    throw validationFailed([{ pointer: '', code: 'required', detail, allowed: formNames }]);
  }
  const { required, optional } = forms[form];
  const allowedFields = [form, ...required, ...optional, 'on_error'];
  const faults: Fault[] = Object.keys(body)
    .filter((name) => !allowedFields.includes(name))
    .map((name) => ({
      pointer: `/${name}`,
      code: 'conflicting_field',
      detail: others.includes(name as Form)
        ? `Send exactly one of \`id\`, \`ids\`, \`updates\` and \`filter\`. The body also has \`${form}\`.`
        : `\`${name}\` is not allowed with \`${form}\`.`,
    }));
  for (const name of required.filter((needed) => !(needed in body))) {
    const detail = `\`${name}\` is required with \`${form}\`.`;
    faults.push({ pointer: `/${name}`, code: 'required', detail });
  }
  if (faults.length > 0) throw validationFailed(faults);
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
function versionsOf(etags: readonly string[] | '*'): number[] | null {
  if (etags === '*') return null;
  return etags.map((tag) => Number(/^"([1-9]\d{0,9})"$/.exec(tag)?.[1] ?? Number.NaN));
}

/** The versions in both lists. */
function intersectVersions(one: number[] | null, other: number[] | null): number[] | null {
  if (!one || !other) return one ?? other;
  return one.filter((version) => other.includes(version));
}
