const keyPrefix = 'draft ';

/** The drafts of this page. Session storage has a copy without secrets, for reloads of the tab. */
const drafts = new Map<string, object>();

/**
 * Stores a draft for this tab. `withoutSecrets` is what reaches the storage of the browser. Returns
 * whether the whole draft survives a reload.
 */
export function storeDraft(key: string, draft: object, withoutSecrets: object): boolean {
  drafts.set(key, draft);
  const text = JSON.stringify(withoutSecrets);
  try {
    sessionStorage.setItem(keyPrefix + key, text);
  } catch (error) {
    // The storage is full or disabled.
    if (error instanceof DOMException) return false;
    throw error;
  }
  return text === JSON.stringify(draft);
}

/** Returns a stored draft, unchecked: it may be from another version of the portal. */
export function readDraft(key: string): unknown {
  return drafts.get(key) ?? parse(sessionStorage.getItem(keyPrefix + key));
}

export function removeDraft(key: string): void {
  drafts.delete(key);
  sessionStorage.removeItem(keyPrefix + key);
}

/** Removes all drafts, when the person logs out. */
export function removeAllDrafts(): void {
  drafts.clear();
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(keyPrefix)) sessionStorage.removeItem(key);
  }
}

function parse(text: string | null): unknown {
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // Written by something else.
    return undefined;
  }
}
