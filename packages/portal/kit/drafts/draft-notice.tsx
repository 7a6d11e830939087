import { Button } from '../button.tsx';
import type { Draft } from './use-draft.ts';

/** Says that a form has unsaved changes from an earlier visit, and offers to discard them. */
export function DraftNotice<T>({ draft }: { draft: Draft<T> }) {
  if (!draft.isRestored) return null;
  return (
    <div class="notice row" role="status">
      <span>Your unsaved changes were restored.</span>
      <Button small onClick={() => draft.reset()}>
        Discard changes
      </Button>
    </div>
  );
}
