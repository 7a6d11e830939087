import { limits } from '@scriptorium/contracts/limits';
import { pluralise } from '@scriptorium/contracts/pluralise';
import { type Fault, validationFailed } from '@scriptorium/contracts/problems';
import type {
  ShareCreate,
  ShareKind,
  SharePatch,
} from '@scriptorium/contracts/wire/library/shares';
import { postgresTime } from '../../db/postgres-time.ts';

/** The fields that only shares of one kind have. */
const fieldsOfKind: Record<ShareKind, readonly (keyof SharePatch & keyof ShareCreate)[]> = {
  view: ['allow_download', 'max_views', 'max_downloads'],
  upload: ['accept', 'max_bytes', 'max_files'],
};

/**
 * Checks conditions that the schema cannot express.
 * @param current the values that a patch leaves unchanged
 * @throws Problem 422 for fields of the other kind, or an end in the past or too far ahead
 */
export function rejectInvalidFields(
  kind: ShareKind,
  fields: SharePatch,
  otherFaults: Fault[] = [],
  current: Pick<SharePatch, 'allow_download' | 'max_downloads'> = {},
): void {
  const faults = [...otherFaults];
  const otherKind = kind === 'view' ? 'upload' : 'view';
  for (const field of fieldsOfKind[otherKind]) {
    if (fields[field] === undefined) continue;
    const detail = `It applies only to shares whose \`kind\` is \`${otherKind}\`.`;
    faults.push({ pointer: `/${field}`, code: 'not_allowed', detail });
  }
  const { allow_download, max_downloads: maxDownloads } = { ...current, ...fields };
  if (kind === 'view' && allow_download === false && typeof maxDownloads === 'number') {
    const detail = 'It must be null if `allow_download` is false, because there are no downloads.';
    faults.push({ pointer: '/max_downloads', code: 'conflicting_field', detail });
  }
  if (fields.expires_at) {
    const remainingMs = new Date(fields.expires_at).getTime() - postgresTime();
    const max = limits.share_max_days * 24 * 3_600_000;
    const pointer = '/expires_at';
    if (remainingMs <= 0) {
      faults.push({ pointer, code: 'too_small', detail: 'It must be in the future.' });
    } else if (remainingMs > max) {
      const detail = `It must be at most ${pluralise(limits.share_max_days, 'day')} ahead.`;
      faults.push({ pointer, code: 'too_large', detail });
    }
  }
  if (faults.length > 0) throw validationFailed(faults);
}

/** The faults of the target of a new share. */
export function targetFaults({ kind, object_id, collection_id }: ShareCreate): Fault[] {
  if (kind === 'upload') {
    if (object_id === undefined) return [];
    const detail = 'Uploads can only be added to a collection. Send `collection_id`.';
    return [{ pointer: '/object_id', code: 'not_allowed', detail }];
  }
  if ((object_id === undefined) !== (collection_id === undefined)) return [];
  const detail = 'Send either `object_id` or `collection_id`.';
  return object_id === undefined
    ? [{ pointer: '/object_id', code: 'required', detail }]
    : [{ pointer: '/collection_id', code: 'not_allowed', detail }];
}
