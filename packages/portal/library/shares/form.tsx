import type {
  ShareKind,
  SharePatch,
  ShareRecord,
} from '@scriptorium/contracts/wire/library/shares';
import { useState } from 'preact/hooks';
import type { ApiProblem } from '../../api/request.ts';
import { CheckField, faultAt, faultsIn, TextField } from '../../kit/fields/field.tsx';
import { fromLocal, toLocal } from '../../kit/local-time.ts';

/** The fields of a share in the form. */
export interface Draft {
  title: string;
  message: string;
  until: string;
  /** Null keeps the password. */
  password: string | null;
  allowDownload: boolean;
  /** Maximum number of downloads, or of uploaded files. */
  most: string;
  accept: string;
}

export function useDraft(kind: ShareKind, share: ShareRecord | null) {
  const [draft, setDraft] = useState<Draft>(() => ({
    title: share?.title ?? '',
    message: share?.message ?? '',
    until: share?.expires_at ? toLocal(share.expires_at) : '',
    password: share?.has_password ? null : '',
    allowDownload: share?.allow_download ?? true,
    most: String((kind === 'view' ? share?.max_downloads : share?.max_files) ?? ''),
    accept: share?.accept.join(', ') ?? '',
  }));
  const edit = (change: Partial<Draft>) => setDraft((now) => ({ ...now, ...change }));
  return { draft, edit };
}

/**
 * Returns the body that sets all fields of a draft; for an existing share, the end is included only
 * if it was changed.
 */
export function bodyOf(kind: ShareKind, draft: Draft, share?: ShareRecord): SharePatch {
  const isSameEnd = share && toLocal(share.expires_at ?? '') === draft.until;
  const most = draft.most === '' ? null : Number(draft.most);
  const accept = draft.accept.split(/[,\s]+/).filter((type) => type !== '');
  return {
    title: draft.title.trim() || null,
    message: draft.message.trim() || null,
    ...(!isSameEnd && { expires_at: draft.until === '' ? null : fromLocal(draft.until) }),
    ...(draft.password !== null && { password: draft.password || null }),
    ...(kind === 'view'
      ? {
          allow_download: draft.allowDownload,
          max_downloads: draft.allowDownload ? most : null,
        }
      : { accept, max_files: most }),
  };
}

/** The fields of a share. */
export function ShareFields(props: {
  kind: ShareKind;
  draft: Draft;
  edit: (change: Partial<Draft>) => void;
  problem: ApiProblem | undefined;
}) {
  const { kind, draft, edit, problem } = props;
  return (
    <div class="stack">
      <TextField
        label="Title"
        hint="Optional. Visitors see it instead of the name."
        value={draft.title}
        fault={faultAt(problem, '/title')}
        onInput={(title) => edit({ title })}
      />
      <TextField
        label="Message"
        value={draft.message}
        rows={2}
        fault={faultAt(problem, '/message')}
        onInput={(message) => edit({ message })}
      />
      <TextField
        label="Expires"
        hint="Empty: never."
        type="datetime-local"
        value={draft.until}
        fault={faultAt(problem, '/expires_at')}
        onInput={(until) => edit({ until })}
      />
      {draft.password === null ? (
        <CheckField
          label="Visitors must enter the password"
          hint="Clear the checkbox to remove it or to set a new one."
          checked
          onChange={() => edit({ password: '' })}
        />
      ) : (
        <TextField
          label="Password"
          hint="Optional, at least 8 characters. It cannot be shown again."
          type="password"
          autocomplete="new-password"
          value={draft.password}
          fault={faultAt(problem, '/password')}
          onInput={(password) => edit({ password })}
        />
      )}
      {kind === 'view' ? (
        <CheckField
          label="Visitors can download files"
          hint="Otherwise they see previews only."
          checked={draft.allowDownload}
          onChange={(allowDownload) => edit({ allowDownload })}
        />
      ) : (
        <TextField
          label="Accepted types"
          hint="Such as image/*, application/pdf. Empty: all."
          value={draft.accept}
          fault={faultsIn(problem, '/accept')}
          onInput={(accept) => edit({ accept })}
        />
      )}
      {(kind === 'upload' || draft.allowDownload) && (
        <TextField
          label={kind === 'view' ? 'Maximum number of downloads' : 'Maximum number of files'}
          hint="Empty: no limit."
          type="number"
          min={1}
          value={draft.most}
          fault={faultsIn(problem, kind === 'view' ? '/max_downloads' : '/max_files')}
          onInput={(most) => edit({ most })}
        />
      )}
    </div>
  );
}

/** Returns a link in the form for copying. */
export function linkOf({ url }: ShareRecord): string | null {
  return url && new URL(url, window.location.origin).href;
}
