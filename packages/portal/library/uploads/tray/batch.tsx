import { formatBytes } from '@scriptorium/contracts/format-bytes';
import { pluralise } from '@scriptorium/contracts/pluralise';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { asProblem, useResource } from '../../../api/hooks.ts';
import { type ApiProblem, requestFor } from '../../../api/request.ts';
import { Button } from '../../../kit/button.tsx';
import { CheckField } from '../../../kit/fields/field.tsx';
import { TagsField } from '../../../kit/fields/tags-field.tsx';
import { FormDialog } from '../../../kit/form-dialog.tsx';
import { toast } from '../../../kit/toasts.tsx';
import { useSession } from '../../../shell/session.tsx';
import { checkLimits, checkPolicies } from '../checks.ts';
import {
  type ChosenFile,
  filesOfInput,
  filesOfTransfer,
  hasFiles,
  unreadableDrop,
} from '../files.ts';
import { rejectionOf } from '../rejection.ts';
import { type Batch, metadataOf } from '../sending/item.ts';
import { isSameFile } from '../sending/unfinished.ts';
import { beginUpload } from '../tus.ts';
import type { Offer } from '../upload-events.ts';
import { MetadataFields, type MetadataPair, metadataFrom } from './metadata-fields.tsx';
import type { UnfinishedUpload } from './unfinished.tsx';

const maxListedFiles = 30;
/** Request headers are limited to 16 KiB in total, and Base64 makes these a third longer. */
const maxDescriptionLength = 8_000;

interface UploadFormProps {
  offer: Offer;
  unfinished: readonly UnfinishedUpload[];
  onClose: () => void;
  onStart: (
    files: readonly ChosenFile[],
    batch: Batch,
    rejections: ReadonlyMap<ChosenFile, ApiProblem>,
    resumedUploads: ReadonlyMap<ChosenFile, UnfinishedUpload>,
  ) => void;
}

/** The upload form: files, tags and options, with the files that would be rejected. */
export function UploadForm({ offer, unfinished, onClose, onStart }: UploadFormProps) {
  const { target } = offer;
  const [files, setFiles] = useState<readonly ChosenFile[]>(offer.files);
  const [tags, setTags] = useState<readonly string[]>([]);
  const [pairs, setPairs] = useState<readonly MetadataPair[]>([]);
  const [allowDuplicates, setAllowDuplicates] = useState(false);
  const [keepFolders, setKeepFolders] = useState(false);
  const rejections = useRejections(files, tags);
  const resumedUploads = useResumedUploads(files, unfinished);
  const metadata = metadataFrom(pairs);
  const batch: Batch = { tags, metadata, allowDuplicates, keepFolders, target };
  const isTooLong = JSON.stringify([tags, metadata]).length > maxDescriptionLength;
  const first = files[0] ?? { file: new File([], 'scan.pdf'), folder: '' };
  const submit = (): void => {
    if (files.length === 0 || isTooLong) return;
    const newFiles = files.filter((selectedFile) => !resumedUploads.has(selectedFile));
    onStart(newFiles, batch, rejections, resumedUploads);
  };
  return (
    <FormDialog
      title={target ? `Upload to “${target.name}”` : 'Upload'}
      onClose={onClose}
      onSubmit={submit}
      action={files.length === 0 ? 'Upload' : `Upload ${pluralise(files.length, 'file')}`}
      disabled={files.length === 0 || isTooLong}
      calls={[
        [
          'Evaluate policies',
          requestFor('evaluatePolicies', {
            body: {
              action: 'upload',
              candidate: { bytes: first.file.size, mime: first.file.type || 'image/png' },
            },
          }),
        ],
        ['Create upload', beginUpload(first.file.size, metadataOf({ ...first, batch }))],
      ]}
    >
      <FilesField
        files={files}
        rejections={rejections}
        resumedUploads={resumedUploads}
        onChange={setFiles}
      />
      <TagsField
        label="Tags"
        hint="Added to all files. Press Enter or type a comma to add a tag."
        tags={tags}
        onChange={setTags}
      />
      <MetadataFields pairs={pairs} onChange={setPairs} />
      {isTooLong && (
        <p class="notice bad" role="alert">
          Tags and metadata are too long to send with an upload. Add fewer now, and the others
          later.
        </p>
      )}
      {files.some(({ folder }) => folder) && (
        <CheckField
          label="Save each file’s folder in its metadata"
          hint="For example, folder: 2024/harbour"
          checked={keepFolders}
          onChange={setKeepFolders}
        />
      )}
      <CheckField
        label="Store duplicates"
        hint="Otherwise, identical files with the same name are stored once."
        checked={allowDuplicates}
        onChange={setAllowDuplicates}
      />
    </FormDialog>
  );
}

/** Returns the files that continue an unfinished upload. */
function useResumedUploads(
  files: readonly ChosenFile[],
  unfinished: readonly UnfinishedUpload[],
): ReadonlyMap<ChosenFile, UnfinishedUpload> {
  return useMemo(() => {
    const matches = new Map<ChosenFile, UnfinishedUpload>();
    for (const selectedFile of files) {
      const entry = unfinished.find((one) => isSameFile(one, selectedFile));
      if (entry) matches.set(selectedFile, entry);
    }
    return matches;
  }, [files, unfinished]);
}

/** The files of the batch: chosen, dropped or pasted. */
function FilesField(props: {
  files: readonly ChosenFile[];
  rejections: ReadonlyMap<ChosenFile, ApiProblem>;
  resumedUploads: ReadonlyMap<ChosenFile, UnfinishedUpload>;
  onChange: (files: readonly ChosenFile[]) => void;
}) {
  const { files, rejections, resumedUploads, onChange } = props;
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0);
  const add = (addedFiles: readonly ChosenFile[]): void => onChange([...files, ...addedFiles]);
  const addTransfer = (data: DataTransfer): void => {
    filesOfTransfer(data).then(add, () => toast('bad', unreadableDrop));
  };
  return (
    <section
      class="batch-drop"
      aria-label="Files to upload"
      onDragOver={(event) => {
        if (hasFiles(event.dataTransfer)) event.preventDefault();
      }}
      onDrop={(event) => {
        if (!hasFiles(event.dataTransfer)) return;
        event.preventDefault();
        event.stopPropagation();
        addTransfer(event.dataTransfer);
      }}
    >
      <div class="row" data-first={files.length === 0 || undefined}>
        <FilePicker label={files.length > 0 ? 'Add files…' : 'Choose files…'} onSelect={add} />
        <FilePicker label="Choose folder…" folders onSelect={add} />
      </div>
      <p class="soft">
        {files.length === 0
          ? 'Or drop files and folders here, or paste an image.'
          : `${pluralise(files.length, 'file')}, ${formatBytes(bytes)}`}
      </p>
      {files.length > 0 && (
        <ul class="batch-files">
          {files.slice(0, maxListedFiles).map((selectedFile, at) => (
            <FileRow
              key={at}
              selectedFile={selectedFile}
              problem={rejections.get(selectedFile)}
              unfinished={resumedUploads.get(selectedFile)}
              onRemove={() => onChange(files.filter((one) => one !== selectedFile))}
            />
          ))}
        </ul>
      )}
      {files.length > maxListedFiles && (
        <p class="soft">And {files.length - maxListedFiles} more</p>
      )}
      {rejections.size > 0 && (
        <p class="notice warn" role="status">
          {pluralise(rejections.size, 'file')} will not be uploaded.
        </p>
      )}
    </section>
  );
}

function FilePicker({
  label,
  folders = false,
  onSelect,
}: {
  label: string;
  folders?: boolean;
  onSelect: (files: readonly ChosenFile[]) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        aria-label={folders ? 'Folder' : 'Files'}
        {...(folders ? { webkitdirectory: true } : {})}
        onChange={({ currentTarget }) => {
          onSelect(filesOfInput(currentTarget));
          // Reset so that choosing the same file again fires a change event.
          currentTarget.value = '';
        }}
      />
      <Button onClick={() => input.current?.click()}>{label}</Button>
    </>
  );
}

function FileRow({
  selectedFile: { file, folder },
  problem,
  unfinished,
  onRemove,
}: {
  selectedFile: ChosenFile;
  problem: ApiProblem | undefined;
  unfinished: UnfinishedUpload | undefined;
  onRemove: () => void;
}) {
  const rejection = problem && rejectionOf(problem);
  return (
    <li>
      <div class="batch-file">
        <bdi title={file.name}>{folder ? `${folder}/${file.name}` : file.name}</bdi>
        <span class="soft">{formatBytes(file.size)}</span>
        <Button small quiet label={`Remove ${file.name}`} onClick={onRemove}>
          ×
        </Button>
      </div>
      {rejection && (
        <p class="batch-fault">
          {rejection.title}: {rejection.reasons.join(' ')} {rejection.remedy}
        </p>
      )}
      {unfinished && (
        <p class="soft">
          Resumes at {formatBytes(unfinished.offset)}, with its original tags and metadata.
        </p>
      )}
    </li>
  );
}

/**
 * Returns the files that are known to be rejected: by limits, or by policies.
 */
function useRejections(
  files: readonly ChosenFile[],
  tags: readonly string[],
): ReadonlyMap<ChosenFile, ApiProblem> {
  const { can } = useSession();
  const limits = useResource(requestFor('getLimits')).data;
  const [denied, setDenied] = useState<ReadonlyMap<ChosenFile, ApiProblem>>(new Map());
  const mayEvaluate = can('policies:read');
  const tagList = tags.join('\n');
  useEffect(() => {
    if (!mayEvaluate || files.length === 0) return;
    const controller = new AbortController();
    checkPolicies(files, tags, controller.signal).then(setDenied, (error: unknown) => {
      // The service evaluates the policies again on upload.
      if (!controller.signal.aborted) asProblem(error);
    });
    return () => controller.abort();
  }, [files, tagList, mayEvaluate]);
  return useMemo(() => {
    const tooLarge = limits ? checkLimits(files, limits) : new Map<ChosenFile, ApiProblem>();
    return new Map(
      [...denied, ...tooLarge].filter(([selectedFile]) => files.includes(selectedFile)),
    );
  }, [files, limits, denied]);
}
