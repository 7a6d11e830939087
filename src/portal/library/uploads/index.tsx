import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import { toast } from '../../kit/toasts.tsx';
import { useSession } from '../../shell/session.tsx';
import { filesOfTransfer, hasFiles } from './files.ts';
import { offerFiles, type Target, watchStored } from './inbox.ts';
import './uploads.css';

/** So close to each other uploads are told of as one. */
const togetherMs = 500;

/**
 * Opens the form for an upload, in which files are chosen and tagged; with a collection they are put
 * into it, too. Nothing for a key that may not upload.
 */
export function UploadButton({ collection = null }: { collection?: Target | null }) {
  const { can } = useSession();
  if (!can('objects:write')) return null;
  return (
    <Button primary onClick={() => offerFiles([], collection)}>
      Upload
    </Button>
  );
}

/** A screen that files can be dropped on, or pasted into; it says so while they are dragged over it. */
export function DropTarget({
  collection = null,
  children,
}: {
  collection?: Target | null;
  children: ComponentChildren;
}) {
  const { can } = useSession();
  const allowed = can('objects:write');
  const [over, setOver] = useState(false);
  const take = async (data: DataTransfer): Promise<void> => {
    if (!allowed) return;
    try {
      const files = await filesOfTransfer(data);
      if (files.length > 0) offerFiles(files, collection);
      else toast('bad', 'There are no files in what was dropped.');
    } catch {
      toast('bad', 'The browser could not read what was dropped. Choose the files instead.');
    }
  };
  useEffect(() => {
    const paste = (event: ClipboardEvent): void => {
      if (!hasFiles(event.clipboardData) || isTextField(event.target)) return;
      event.preventDefault();
      void take(event.clipboardData);
    };
    document.addEventListener('paste', paste);
    return () => document.removeEventListener('paste', paste);
  }, [allowed, collection?.id]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button beside it is for the keyboard
    <div
      class="upload-target"
      onDragOver={(event) => {
        if (!hasFiles(event.dataTransfer)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = allowed ? 'copy' : 'none';
        setOver(true);
      }}
      onDragLeave={(event) => {
        const to = event.relatedTarget;
        if (!(to instanceof Node && event.currentTarget.contains(to))) setOver(false);
      }}
      onDrop={(event) => {
        if (!hasFiles(event.dataTransfer)) return;
        event.preventDefault();
        setOver(false);
        void take(event.dataTransfer);
      }}
    >
      {children}
      {over && (
        <div class="upload-over">
          <p>{overText(allowed, collection)}</p>
        </div>
      )}
    </div>
  );
}

/** Calls when uploads were stored, once for those that come together: what a screen lists is older. */
export function useStored(listener: (target: Target | null) => void): void {
  const latest = useRef(listener);
  latest.current = listener;
  useEffect(() => {
    let timer: number | undefined;
    const end = watchStored(({ target }) => {
      window.clearTimeout(timer);
      timer = window.setTimeout(() => latest.current(target), togetherMs);
    });
    return () => {
      end();
      window.clearTimeout(timer);
    };
  }, []);
}

function overText(allowed: boolean, collection: Target | null): string {
  if (!allowed) return 'This key may not upload.';
  return collection ? `Drop to upload into “${collection.name}”` : 'Drop to upload';
}

function isTextField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea');
}
