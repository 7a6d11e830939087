import { formatBytes } from '@scriptorium/contracts/format-bytes';
import { pluralise } from '@scriptorium/contracts/pluralise';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { asProblem, useAnswer } from '../../../api/hooks.ts';
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
import type { Offer } from '../inbox.ts';
import { rejectionOf } from '../rejection.ts';
import { type Batch, metadataOf } from '../sending/item.ts';
import { isSameFile } from '../sending/unfinished.ts';
import { beginUpload } from '../tus.ts';
import { MetadataFields, type MetadataPair, metadataFrom } from './metadata-fields.tsx';
import type { UnfinishedUpload } from './unfinished.tsx';

const shownFiles = 30;
/** Request headers are limited to 16 KiB in total, and Base64 makes these a third longer. */
const maxDescriptionLength = 8_000;

interface NewBatchProps {
  offer: Offer;
  unfinished: readonly UnfinishedUpload[];
  onClose: () => void;
  onStart: (
    files: readonly ChosenFile[],
    batch: Batch,
    rejections: ReadonlyMap<ChosenFile, ApiProblem>,
    resumed: ReadonlyMap<ChosenFile, UnfinishedUpload>,
  ) => void;
}

/** The upload form: files, tags and options, with the files that would be rejected. */
export function NewBatch({ offer, unfinished, onClose, onStart }: NewBatchProps) {
  const { target } = offer;
  const [files, setFiles] = useState<readonly ChosenFile[]>(offer.files);
  const [tags, setTags] = useState<readonly string[]>([]);
  const [pairs, setPairs] = useState<readonly MetadataPair[]>([]);
  const [allowDuplicates, setAllowDuplicates] = useState(false);
  const [keepFolders, setKeepFolders] = useState(false);
  const rejections = useRejections(files, tags);
  const resumed = useResumed(files, unfinished);
  const metadata = metadataFrom(pairs);
  const batch: Batch = { tags, metadata, allowDuplicates, keepFolders, target };
  const isTooLong = JSON.stringify([tags, metadata]).length > maxDescriptionLength;
  const first = files[0] ?? { file: new File([], 'scan.pdf'), folder: '' };
  const submit = (): void => {
    if (files.length === 0 || isTooLong) return;
    const fresh = files.filter((chosen) => !resumed.has(chosen));
    onStart(fresh, batch, rejections, resumed);
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
      <FilesField files={files} rejections={rejections} resumed={resumed} onChange={setFiles} />
      <TagsField
        label="Tags"
        hint="Added to all files. Press Enter or type a comma to add a tag."
        tags={tags}
        onChange={setTags}
      />
      <MetadataFields pairs={pairs} onChange={setPairs} />
      {isTooLong && (
        <p class="notice bad" role="alert">
          Tags and metadata are too long to send with an upload. Add fewer now, and the rest
          afterwards.
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

/** The files that continue an unfinished upload. */
function useResumed(
  files: readonly ChosenFile[],
  unfinished: readonly UnfinishedUpload[],
): ReadonlyMap<ChosenFile, UnfinishedUpload> {
  return useMemo(() => {
    const found = new Map<ChosenFile, UnfinishedUpload>();
    for (const chosen of files) {
      const entry = unfinished.find((one) => isSameFile(one, chosen));
      if (entry) found.set(chosen, entry);
    }
    return found;
  }, [files, unfinished]);
}

/** The files of the batch: chosen, dropped or pasted. */
function FilesField(props: {
  files: readonly ChosenFile[];
  rejections: ReadonlyMap<ChosenFile, ApiProblem>;
  resumed: ReadonlyMap<ChosenFile, UnfinishedUpload>;
  onChange: (files: readonly ChosenFile[]) => void;
}) {
  const { files, rejections, resumed, onChange } = props;
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0);
  const add = (more: readonly ChosenFile[]): void => onChange([...files, ...more]);
  const take = (data: DataTransfer): void => {
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
        take(event.dataTransfer);
      }}
    >
      <div class="row" data-first={files.length === 0 || undefined}>
        <Choose label={files.length > 0 ? 'Add files…' : 'Choose files…'} onChosen={add} />
        <Choose label="Choose folder…" folders onChosen={add} />
      </div>
      <p class="soft">
        {files.length === 0
          ? 'Or drop files and folders here, or paste an image.'
          : `${pluralise(files.length, 'file')}, ${formatBytes(bytes)}`}
      </p>
      {files.length > 0 && (
        <ul class="batch-files">
          {files.slice(0, shownFiles).map((chosen, at) => (
            <FileLine
              key={at}
              chosen={chosen}
              problem={rejections.get(chosen)}
              unfinished={resumed.get(chosen)}
              onRemove={() => onChange(files.filter((one) => one !== chosen))}
            />
          ))}
        </ul>
      )}
      {files.length > shownFiles && <p class="soft">And {files.length - shownFiles} more</p>}
      {rejections.size > 0 && (
        <p class="notice warn" role="status">
          {pluralise(rejections.size, 'file')} will not be uploaded.
        </p>
      )}
    </section>
  );
}

function Choose({
  label,
  folders = false,
  onChosen,
}: {
  label: string;
  folders?: boolean;
  onChosen: (files: readonly ChosenFile[]) => void;
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
          onChosen(filesOfInput(currentTarget));
          // Reset so that choosing the same file again fires a change event.
          currentTarget.value = '';
        }}
      />
      <Button onClick={() => input.current?.click()}>{label}</Button>
    </>
  );
}

function FileLine({
  chosen: { file, folder },
  problem,
  unfinished,
  onRemove,
}: {
  chosen: ChosenFile;
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
 * The files that would be rejected, as far as known in advance: first by limits, then by policies.
 */
function useRejections(
  files: readonly ChosenFile[],
  tags: readonly string[],
): ReadonlyMap<ChosenFile, ApiProblem> {
  const { can } = useSession();
  const limits = useAnswer(requestFor('getLimits')).data;
  const [denied, setDenied] = useState<ReadonlyMap<ChosenFile, ApiProblem>>(new Map());
  const mayAsk = can('policies:read');
  const tagList = tags.join('\n');
  useEffect(() => {
    if (!mayAsk || files.length === 0) return;
    const gone = new AbortController();
    checkPolicies(files, tags, gone.signal).then(setDenied, (error: unknown) => {
      // The service evaluates the policies again on upload.
      if (!gone.signal.aborted) asProblem(error);
    });
    return () => gone.abort();
  }, [files, tagList, mayAsk]);
  return useMemo(() => {
    const tooLarge = limits ? checkLimits(files, limits) : new Map<ChosenFile, ApiProblem>();
    return new Map([...denied, ...tooLarge].filter(([chosen]) => files.includes(chosen)));
  }, [files, limits, denied]);
}
