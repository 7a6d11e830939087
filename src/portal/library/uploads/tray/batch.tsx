import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { asProblem, useAnswer } from '../../../api/hooks.ts';
import type { ApiProblem } from '../../../api/request.ts';
import { ApiCalls } from '../../../kit/api-call.tsx';
import { Button } from '../../../kit/button.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { CheckField } from '../../../kit/field.tsx';
import { TagsField } from '../../../kit/tags-field.tsx';
import { toast } from '../../../kit/toasts.tsx';
import { formatBytes } from '../../../kit/values.tsx';
import { useSession } from '../../../shell/session.tsx';
import { checkLimits, checkPolicies } from '../checks.ts';
import { type ChosenFile, filesOfInput, filesOfTransfer, hasFiles } from '../files.ts';
import type { Offer } from '../inbox.ts';
import { type Batch, metadataOf } from '../queue.ts';
import { refusalOf } from '../refusal.ts';
import { beginUpload, evaluateUpload, getLimits } from '../requests.ts';
import { isSameFile } from '../unfinished.ts';
import { MetadataFields, metadataFrom, type Pair } from './metadata-fields.tsx';
import type { LeftOff } from './unfinished.tsx';

const shownFiles = 30;
/** With what comes beside it, a request's headers fit into 16 KiB; these are a third longer there. */
const mostSaid = 8_000;

interface NewBatchProps {
  offer: Offer;
  unfinished: readonly LeftOff[];
  onClose: () => void;
  onStart: (
    files: readonly ChosenFile[],
    batch: Batch,
    refusals: ReadonlyMap<ChosenFile, ApiProblem>,
    resumed: ReadonlyMap<ChosenFile, LeftOff>,
  ) => void;
}

/** What is said of files before they are uploaded together, and which of them would be refused. */
export function NewBatch({ offer, unfinished, onClose, onStart }: NewBatchProps) {
  const { target } = offer;
  const [files, setFiles] = useState<readonly ChosenFile[]>(offer.files);
  const [tags, setTags] = useState<readonly string[]>([]);
  const [pairs, setPairs] = useState<readonly Pair[]>([]);
  const [allowDuplicates, setAllowDuplicates] = useState(false);
  const [keepFolders, setKeepFolders] = useState(false);
  const refusals = useRefusals(files, tags);
  const metadata = metadataFrom(pairs);
  const batch: Batch = { tags, metadata, allowDuplicates, keepFolders, target };

  const resumed = useMemo(() => {
    const found = new Map<ChosenFile, LeftOff>();
    for (const chosen of files) {
      const entry = unfinished.find((one) => isSameFile(one, chosen));
      if (entry) found.set(chosen, entry);
    }
    return found;
  }, [files, unfinished]);
  const fresh = files.filter((chosen) => !resumed.has(chosen));
  const add = (more: readonly ChosenFile[]): void => setFiles([...files, ...more]);
  const take = (data: DataTransfer): void => {
    filesOfTransfer(data).then(add, () => {
      toast('bad', 'The browser could not read what was dropped. Choose the files instead.');
    });
  };
  const said = JSON.stringify([tags, metadata]).length;
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0);
  const count = `${files.length} ${files.length === 1 ? 'file' : 'files'}`;
  const first = files[0] ?? { file: new File([], 'scan.pdf'), folder: '' };
  return (
    <Dialog
      title={target ? `Upload into “${target.name}”` : 'Upload'}
      onClose={onClose}
      onSubmit={() => {
        if (files.length > 0 && said <= mostSaid) onStart(fresh, batch, refusals, resumed);
      }}
      footer={
        <>
          <ApiCalls
            calls={[
              [
                'Ask what the policies would say',
                evaluateUpload({ bytes: first.file.size, mime: first.file.type || 'image/png' }),
              ],
              ['Begin an upload', beginUpload(first.file.size, metadataOf({ ...first, batch }))],
            ]}
          />
          <Button onClick={onClose}>Cancel</Button>
          <Button primary type="submit" disabled={files.length === 0 || said > mostSaid}>
            {files.length === 0 ? 'Upload' : `Upload ${count}`}
          </Button>
        </>
      }
    >
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
        <div class="row">
          <Choose label={files.length > 0 ? 'Add files…' : 'Choose files…'} onChosen={add} />
          <Choose label="Choose a folder…" folders onChosen={add} />
        </div>
        <p class="soft">
          {files.length === 0
            ? 'Or drop files and folders here, or paste a picture.'
            : `${count}, ${formatBytes(bytes)}.`}
        </p>
        {files.length > 0 && (
          <ul class="batch-files">
            {files.slice(0, shownFiles).map((chosen, at) => (
              <FileLine
                key={at}
                chosen={chosen}
                refusal={refusals.get(chosen)}
                leftOff={resumed.get(chosen)}
                onRemove={() => setFiles(files.filter((one) => one !== chosen))}
              />
            ))}
          </ul>
        )}
        {files.length > shownFiles && <p class="soft">And {files.length - shownFiles} more.</p>}
        {refusals.size > 0 && (
          <p class="notice warn" role="status">
            {refusals.size} of them would be refused. Nothing of these is sent.
          </p>
        )}
      </section>
      <TagsField
        label="Tags"
        hint="For all of these files. Enter or a comma ends a tag."
        tags={tags}
        onChange={setTags}
      />
      <MetadataFields pairs={pairs} onChange={setPairs} />
      {said > mostSaid && (
        <p class="notice bad" role="alert">
          This is more than can be said along with an upload. Give fewer tags and metadata now, and
          the others afterwards.
        </p>
      )}
      {files.some(({ folder }) => folder) && (
        <CheckField
          label="Keep each file’s folder in its metadata"
          hint="As folder: 2024/harbour"
          checked={keepFolders}
          onChange={setKeepFolders}
        />
      )}
      <CheckField
        label="Store files also that are there already"
        hint="Otherwise the same bytes under the same name are stored once."
        checked={allowDuplicates}
        onChange={setAllowDuplicates}
      />
    </Dialog>
  );
}

/** What would be refused, as far as it can be known: by the limits at once, then by the policies. */
function useRefusals(
  files: readonly ChosenFile[],
  tags: readonly string[],
): ReadonlyMap<ChosenFile, ApiProblem> {
  const { can } = useSession();
  const limits = useAnswer(getLimits()).data;
  const [denied, setDenied] = useState<ReadonlyMap<ChosenFile, ApiProblem>>(new Map());
  const mayAsk = can('policies:read');
  const tagList = tags.join('\n');
  useEffect(() => {
    if (!mayAsk || files.length === 0) return;
    const gone = new AbortController();
    checkPolicies(files, tags, gone.signal).then(setDenied, (error: unknown) => {
      // It is asked again when the upload begins, by the service itself.
      if (!gone.signal.aborted) asProblem(error);
    });
    return () => gone.abort();
  }, [files, tagList, mayAsk]);
  return useMemo(() => {
    const tooLarge = limits ? checkLimits(files, limits) : new Map<ChosenFile, ApiProblem>();
    return new Map([...denied, ...tooLarge].filter(([chosen]) => files.includes(chosen)));
  }, [files, limits, denied]);
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
          // So that choosing the same again is a change.
          currentTarget.value = '';
        }}
      />
      <Button onClick={() => input.current?.click()}>{label}</Button>
    </>
  );
}

function FileLine({
  chosen: { file, folder },
  refusal,
  leftOff,
  onRemove,
}: {
  chosen: ChosenFile;
  refusal: ApiProblem | undefined;
  leftOff: LeftOff | undefined;
  onRemove: () => void;
}) {
  const why = refusal && refusalOf(refusal);
  return (
    <li>
      <div class="batch-file">
        <bdi title={file.name}>{folder ? `${folder}/${file.name}` : file.name}</bdi>
        <span class="soft">{formatBytes(file.size)}</span>
        <Button small quiet label={`Leave out ${file.name}`} onClick={onRemove}>
          ×
        </Button>
      </div>
      {why && (
        <p class="batch-fault">
          {why.title}: {why.reasons.join(' ')} {why.remedy}
        </p>
      )}
      {leftOff && (
        <p class="soft">
          Goes on at {formatBytes(leftOff.offset)}, with the tags and metadata given when it began.
        </p>
      )}
    </li>
  );
}
