import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import { toast } from '../../kit/toasts.tsx';
import { useSession } from '../../shell/session.tsx';
import { filesOfTransfer, hasFiles, unreadableDrop } from './files.ts';
import { offerFiles, type Target, watchStored } from './inbox.ts';
import './uploads.css';

/** Uploads completed within this time are reported together. */
const togetherMs = 500;

/** Opens the upload form. Files are added to `collection`, if given. Hidden if the key cannot upload. */
export function UploadButton({ collection = null }: { collection?: Target | null }) {
  const { can } = useSession();
  if (!can('objects:write')) return null;
  return (
    <Button primary icon="upload" onClick={() => offerFiles([], collection)}>
      Upload
    </Button>
  );
}

/** A screen that accepts dropped and pasted files. */
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
      else toast('bad', 'No files found in what you dropped.');
    } catch {
      toast('bad', unreadableDrop);
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
    // biome-ignore lint/a11y/noStaticElementInteractions: keyboard users have the Upload button
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

/** Calls `listener` after uploads are stored, once for those completed together. */
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
  if (!allowed) return 'This API key cannot upload files';
  return collection ? `Drop files to upload to “${collection.name}”` : 'Drop files to upload';
}

function isTextField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea');
}
