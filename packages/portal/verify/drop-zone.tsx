import { useState } from 'preact/hooks';

/** Takes files that are dropped or chosen. */
export function DropZone({
  onFiles,
  isBusy,
}: {
  onFiles: (files: File[]) => void;
  isBusy: boolean;
}) {
  const [isOver, setIsOver] = useState(false);
  return (
    <fieldset
      aria-label="Files to verify"
      class={`drop-zone${isOver ? ' over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        onFiles([...(event.dataTransfer?.files ?? [])]);
      }}
    >
      <label for="files">Certificate and redacted file</label>
      <input
        id="files"
        type="file"
        multiple
        aria-busy={isBusy}
        aria-describedby="files-help"
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])]);
          // So that the same file can be chosen again.
          event.currentTarget.value = '';
        }}
      />
      <p id="files-help">
        Choose both, or drop them here. The certificate is a JSON file, or a PDF with that file
        attached.
      </p>
    </fieldset>
  );
}
