import { formatBytes } from '@scriptorium/contracts/format-bytes';
import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import { requestFor } from '../../../api/request.ts';
import { ApiCalls } from '../../../kit/api-calls.tsx';
import { Button } from '../../../kit/button.tsx';
import { formatSeconds, Progress } from '../../../kit/values.tsx';
import { rejectionOf } from '../rejection.ts';
import { hasEnded, metadataOf, type UploadItem } from '../sending/item.ts';
import type { UploadQueue } from '../sending/queue.ts';
import { beginUpload } from '../tus.ts';

/** One upload: its file, progress or outcome, and actions. */
export function UploadLine({ item, queue }: { item: UploadItem; queue: UploadQueue }) {
  const { id, file, folder, stage } = item;
  const percent = file.size === 0 ? 0 : Math.floor((item.sent / file.size) * 100);
  return (
    <li class={`tray-line ${stage}`}>
      <div class="tray-name">
        <bdi title={file.name}>{file.name}</bdi>
        {folder && <bdi class="soft">{folder}/</bdi>}
      </div>
      {stage === 'sending' && <Progress percent={percent} label={`Upload of ${file.name}`} />}
      <UploadStatus item={item} percent={percent} />
      <div class="row tray-actions">
        {(stage === 'sending' || stage === 'waiting') && (
          <Button small label={`Pause ${file.name}`} onClick={() => void queue.pause(id)}>
            Pause
          </Button>
        )}
        {(stage === 'paused' || stage === 'interrupted') && (
          <Button
            small
            label={`${stage === 'paused' ? 'Resume' : 'Retry now:'} ${file.name}`}
            onClick={() => queue.resume(id)}
          >
            {stage === 'paused' ? 'Resume' : 'Retry now'}
          </Button>
        )}
        {stage === 'rejected' && item.problem && rejectionOf(item.problem).retryable && (
          <Button small label={`Retry ${file.name}`} onClick={() => queue.retry(id)}>
            Retry
          </Button>
        )}
        {!hasEnded(item) && (
          <Button small quiet label={`Cancel ${file.name}`} onClick={() => void queue.cancel(id)}>
            Cancel
          </Button>
        )}
        <ApiCalls calls={callsOf(item)} />
      </div>
    </li>
  );
}

function UploadStatus({ item, percent }: { item: UploadItem; percent: number }) {
  const { stage, file, problem } = item;
  const target = item.batch.target;
  switch (stage) {
    case 'waiting':
      return <p class="soft">Waiting · {formatBytes(file.size)}</p>;
    case 'sending':
      return (
        <p class="soft">
          {percent}% of {formatBytes(file.size)}
          {item.speed !== null &&
            item.speed > 0 &&
            ` · ${formatBytes(item.speed)}/s · ${formatSeconds((file.size - item.sent) / item.speed)} left`}
        </p>
      );
    case 'paused':
      return (
        <p>
          Paused at {percent}% of {formatBytes(file.size)}
        </p>
      );
    case 'interrupted':
      return (
        <p>
          Interrupted at {percent}%. {problem?.message} The upload resumes automatically.
        </p>
      );
    case 'processing':
      return <p>Processing…</p>;
    case 'stored':
      return (
        <p>
          Uploaded{target && !problem && <> to {quotedName(target.name)}</>}.{' '}
          <ItemLink item={item}>Open</ItemLink>
          {problem && <NotInCollection message={problem.message} />}
        </p>
      );
    case 'present':
      return (
        <p>
          This file already exists, so it was not stored again.
          {hasDescription(item) && ' Your tags and metadata were not added to the existing file.'}
          {target && !problem && <> It was added to {quotedName(target.name)}.</>}{' '}
          <ItemLink item={item}>Show existing file</ItemLink>
          {problem && <NotInCollection message={problem.message} />}
        </p>
      );
    case 'rejected':
      return problem && <RejectionDetails item={item} problem={problem} />;
  }
}

function RejectionDetails({
  item,
  problem,
}: {
  item: UploadItem;
  problem: NonNullable<UploadItem['problem']>;
}) {
  const { title, reasons, remedy } = rejectionOf(problem);
  return (
    <div class="tray-refusal">
      <p>
        <strong>{title}.</strong>
      </p>
      {reasons.map((reason) => (
        <p key={reason}>{reason}</p>
      ))}
      <p class="soft">{remedy}</p>
      {item.object && <ItemLink item={item}>Show record</ItemLink>}
    </div>
  );
}

function NotInCollection({ message }: { message: string }) {
  return <span class="tray-fault"> Could not add it to the collection: {message}</span>;
}

function ItemLink({ item, children }: { item: UploadItem; children: ComponentChildren }) {
  if (!item.object) return null;
  const path = item.imageId ? `images/${item.imageId}` : `objects/${item.object.id}`;
  return (
    <Link href={`/library/${path}`} aria-label={`${String(children)}: ${item.file.name}`}>
      {children}
    </Link>
  );
}

function quotedName(name: string): ComponentChildren {
  return <bdi>“{name}”</bdi>;
}

function hasDescription({ batch }: UploadItem): boolean {
  return batch.tags.length > 0 || Object.keys(batch.metadata).length > 0;
}

function callsOf(item: UploadItem) {
  const { file, uploadId, object, imageId, batch } = item;
  const member = imageId
    ? ({ resource_type: 'image', resource_id: imageId } as const)
    : ({ resource_type: 'object', resource_id: object?.id ?? 'obj_…' } as const);
  return [
    ['Create upload', beginUpload(file.size, metadataOf(item))],
    ['Get upload', requestFor('getUpload', { id: uploadId ?? 'upl_…' })],
    ['Get object', requestFor('getObject', { id: object?.id ?? 'obj_…' })],
    ...(batch.target
      ? ([
          [
            'Add to collection',
            requestFor('addCollectionMember', { id: batch.target.id, body: member }),
          ],
        ] as const)
      : []),
  ] as const;
}
