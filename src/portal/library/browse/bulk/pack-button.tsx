import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { asProblem } from '../../../api/hooks.ts';
import { Button } from '../../../kit/button.tsx';
import { toast } from '../../../kit/toasts.tsx';
import { allSelected } from './all.ts';
import type { BulkProps } from './bar.tsx';

/** The API's maximum for a pack. */
const mostDocuments = 10_000;

/** Leads to the form that builds a pack, with the selected objects in the history entry. */
export function PackButton({ results, selection, count }: BulkProps) {
  const [busy, setBusy] = useState(false);
  const [, navigate] = useLocation();
  const open = async (): Promise<void> => {
    setBusy(true);
    try {
      const items = await allSelected(results, selection, () => undefined);
      const objects = [...new Set(items.map(({ objectId }) => objectId))];
      navigate('~/portal/packs/new', { state: { objects } });
    } catch (error) {
      toast('bad', asProblem(error).message);
      setBusy(false);
    }
  };
  if (count > mostDocuments) return null;
  return (
    <Button small busy={busy} onClick={() => void open()}>
      Build pack
    </Button>
  );
}
