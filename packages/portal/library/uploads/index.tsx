import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import { toast } from '../../kit/toasts.tsx';
import { useSession } from '../../shell/session.tsx';
import { filesOfTransfer, hasFiles, unreadableDrop } from './files.ts';
import { offerFiles, type UploadTarget, watchStored } from './upload-events.ts';
import './uploads.css';

/** Uploads completed within this time are reported together. */
const batchDelayMs = 500;

/** Opens the upload form. Files are added to `collection`, if given. Hidden if the key cannot upload. */
export function UploadButton({ collection = null }: { collection?: UploadTarget | null }) {
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
  collection?: UploadTarget | null;
  children: ComponentChildren;
}) {
  const { can } = useSession();
  const isAllowed = can('objects:write');
  const [isDraggedOver, setIsDraggedOver] = useState(false);
  const offerTransfer = async (data: DataTransfer): Promise<void> => {
    if (!isAllowed) return;
    try {
      const files = await filesOfTransfer(data);
      if (files.length > 0) offerFiles(files, collection);
      else toast('bad', 'No files found.');
    } catch {
      toast('bad', unreadableDrop);
    }
  };
  useEffect(() => {
    const onPaste = (event: ClipboardEvent): void => {
      if (!hasFiles(event.clipboardData) || isTextField(event.target)) return;
      event.preventDefault();
      void offerTransfer(event.clipboardData);
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, [isAllowed, collection?.id]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keyboard users have the Upload button
    <div
      class="upload-target"
      onDragOver={(event) => {
        if (!hasFiles(event.dataTransfer)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = isAllowed ? 'copy' : 'none';
        setIsDraggedOver(true);
      }}
      onDragLeave={(event) => {
        const to = event.relatedTarget;
        if (!(to instanceof Node && event.currentTarget.contains(to))) setIsDraggedOver(false);
      }}
      onDrop={(event) => {
        if (!hasFiles(event.dataTransfer)) return;
        event.preventDefault();
        setIsDraggedOver(false);
        void offerTransfer(event.dataTransfer);
      }}
    >
      {children}
      {isDraggedOver && (
        <div class="upload-over">
          <p>{dropHint(isAllowed, collection)}</p>
        </div>
      )}
    </div>
  );
}

/** Calls `listener` after uploads are stored, once for those completed together. */
export function useStoredUploads(listener: (target: UploadTarget | null) => void): void {
  const latest = useRef(listener);
  latest.current = listener;
  useEffect(() => {
    let timer: number | undefined;
    const stop = watchStored(({ target }) => {
      window.clearTimeout(timer);
      timer = window.setTimeout(() => latest.current(target), batchDelayMs);
    });
    return () => {
      stop();
      window.clearTimeout(timer);
    };
  }, []);
}

function dropHint(isAllowed: boolean, collection: UploadTarget | null): string {
  if (!isAllowed) return 'This API key cannot upload files';
  return collection ? `Drop files to upload to “${collection.name}”` : 'Drop files to upload';
}

function isTextField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea');
}
