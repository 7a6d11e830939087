import type {
  ShareKind,
  SharePatch,
  ShareRecord,
} from '@scriptorium/contracts/wire/library/shares';
import { useState } from 'preact/hooks';
import type { ApiProblem } from '../../api/request.ts';
import { CheckField, faultAt, faultsIn, TextField } from '../../kit/fields/field.tsx';
import { fromDateTimeLocal, toDateTimeLocal } from '../../kit/local-time.ts';

/** The fields of a share in the form. */
export interface ShareDraft {
  title: string;
  message: string;
  expiresAt: string;
  /** Null keeps the password; empty means no password. */
  password: string | null;
  allowDownload: boolean;
  /** Maximum number of downloads, or of uploaded files. */
  maxUses: string;
  accept: string;
}

/** The draft of a share, filled in from an existing share, if any, and a function to edit it. */
export function useShareDraft(kind: ShareKind, share: ShareRecord | null) {
  const [draft, setDraft] = useState<ShareDraft>(() => ({
    title: share?.title ?? '',
    message: share?.message ?? '',
    expiresAt: share?.expires_at ? toDateTimeLocal(share.expires_at) : '',
    password: share?.has_password ? null : '',
    allowDownload: share?.allow_download ?? true,
    maxUses: String((kind === 'view' ? share?.max_downloads : share?.max_files) ?? ''),
    accept: share?.accept.join(', ') ?? '',
  }));
  const edit = (change: Partial<ShareDraft>) => setDraft((now) => ({ ...now, ...change }));
  return { draft, edit };
}

/**
 * Returns a body that sets all fields of a draft. For an existing share, it includes the expiry
 * only if that was changed.
 */
export function shareBodyOf(kind: ShareKind, draft: ShareDraft, share?: ShareRecord): SharePatch {
  const isSameExpiry = share && toDateTimeLocal(share.expires_at ?? '') === draft.expiresAt;
  const maxUses = draft.maxUses === '' ? null : Number(draft.maxUses);
  const accept = draft.accept.split(/[,\s]+/).filter((type) => type !== '');
  return {
    title: draft.title.trim() || null,
    message: draft.message.trim() || null,
    ...(!isSameExpiry && {
      expires_at: draft.expiresAt === '' ? null : fromDateTimeLocal(draft.expiresAt),
    }),
    ...(draft.password !== null && { password: draft.password || null }),
    ...(kind === 'view'
      ? {
          allow_download: draft.allowDownload,
          max_downloads: draft.allowDownload ? maxUses : null,
        }
      : { accept, max_files: maxUses }),
  };
}

interface ShareFieldsProps {
  kind: ShareKind;
  draft: ShareDraft;
  edit: (change: Partial<ShareDraft>) => void;
  problem: ApiProblem | undefined;
}

/** The fields of a share. */
export function ShareFields({ kind, draft, edit, problem }: ShareFieldsProps) {
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
        hint="Leave empty for a share that never expires."
        type="datetime-local"
        value={draft.expiresAt}
        fault={faultAt(problem, '/expires_at')}
        onInput={(expiresAt) => edit({ expiresAt })}
      />
      <PasswordField draft={draft} edit={edit} problem={problem} />
      {kind === 'view' ? (
        <CheckField
          label="Visitors can download files"
          hint="Otherwise, they only see previews."
          checked={draft.allowDownload}
          onChange={(allowDownload) => edit({ allowDownload })}
        />
      ) : (
        <TextField
          label="Accepted types"
          hint="Media types, such as image/* for pictures or application/pdf. Leave empty to accept all types."
          value={draft.accept}
          fault={faultsIn(problem, '/accept')}
          onInput={(accept) => edit({ accept })}
        />
      )}
      <MaxUsesField kind={kind} draft={draft} edit={edit} problem={problem} />
    </div>
  );
}

function PasswordField({ draft, edit, problem }: Omit<ShareFieldsProps, 'kind'>) {
  if (draft.password === null) {
    return (
      <CheckField
        label="Visitors must enter the password"
        hint="Clear the checkbox to remove or replace the password."
        checked
        onChange={() => edit({ password: '' })}
      />
    );
  }
  return (
    <TextField
      label="Password"
      hint="Optional. At least 8 characters. You cannot view it again."
      type="password"
      autocomplete="new-password"
      value={draft.password}
      fault={faultAt(problem, '/password')}
      onInput={(password) => edit({ password })}
    />
  );
}

function MaxUsesField({ kind, draft, edit, problem }: ShareFieldsProps) {
  if (kind === 'view' && !draft.allowDownload) return null;
  return (
    <TextField
      label={kind === 'view' ? 'Maximum number of downloads' : 'Maximum number of files'}
      hint="Leave empty for no limit."
      type="number"
      min={1}
      value={draft.maxUses}
      fault={faultsIn(problem, kind === 'view' ? '/max_downloads' : '/max_files')}
      onInput={(maxUses) => edit({ maxUses })}
    />
  );
}

/** Returns the absolute URL of a share; null if the share has none. */
export function absoluteUrlOf({ url }: ShareRecord): string | null {
  return url && new URL(url, window.location.origin).href;
}
