import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import { ApiCalls } from '../../../kit/api-call.tsx';
import { Button } from '../../../kit/button.tsx';
import { formatBytes, formatSeconds, Progress } from '../../../kit/values.tsx';
import { getObject } from '../../browse/requests.ts';
import { hasEnded, metadataOf, type UploadItem, type UploadQueue } from '../queue.ts';
import { refusalOf } from '../refusal.ts';
import { addMember, beginUpload, getUpload } from '../requests.ts';

/** One upload: its file, how far it is or what became of it, and what can be done. */
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
      <Outcome item={item} percent={percent} />
      <div class="row tray-actions">
        {(stage === 'sending' || stage === 'waiting') && (
          <Button small label={`Pause ${file.name}`} onClick={() => void queue.pause(id)}>
            Pause
          </Button>
        )}
        {(stage === 'paused' || stage === 'interrupted') && (
          <Button
            small
            label={`${stage === 'paused' ? 'Resume' : 'Try now:'} ${file.name}`}
            onClick={() => queue.resume(id)}
          >
            {stage === 'paused' ? 'Resume' : 'Try now'}
          </Button>
        )}
        {stage === 'refused' && item.problem && refusalOf(item.problem).again && (
          <Button small label={`Try again: ${file.name}`} onClick={() => queue.retry(id)}>
            Try again
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

function Outcome({ item, percent }: { item: UploadItem; percent: number }) {
  const { stage, file, problem } = item;
  const target = item.batch.target;
  switch (stage) {
    case 'waiting':
      return <p class="soft">Waiting · {formatBytes(file.size)}</p>;
    case 'sending':
      return (
        <p class="soft">
          {percent} % of {formatBytes(file.size)}
          {item.speed !== null &&
            item.speed > 0 &&
            ` · ${formatBytes(item.speed)}/s · ${formatSeconds((file.size - item.sent) / item.speed)} left`}
        </p>
      );
    case 'paused':
      return (
        <p>
          Paused at {percent} % of {formatBytes(file.size)}.
        </p>
      );
    case 'interrupted':
      return (
        <p>
          Interrupted at {percent} %: {problem?.message} It goes on by itself when it can.
        </p>
      );
    case 'processing':
      return <p>All of it is there. The service is looking at it.</p>;
    case 'stored':
      return (
        <p>
          Stored{target && !problem && <> in {nameOf(target.name)}</>}.{' '}
          <ItemLink item={item}>Show it</ItemLink>
          {problem && <NotInCollection message={problem.message} />}
        </p>
      );
    case 'present':
      return (
        <p>
          This file was there already, so it was not stored again.
          {hasWords(item) &&
            ' The tags and metadata you gave were not merged into the one that is there.'}
          {target && !problem && <> It is in {nameOf(target.name)} now.</>}{' '}
          <ItemLink item={item}>Show the one that is there</ItemLink>
          {problem && <NotInCollection message={problem.message} />}
        </p>
      );
    case 'refused':
      return problem && <Refused item={item} problem={problem} />;
  }
}

function Refused({
  item,
  problem,
}: {
  item: UploadItem;
  problem: NonNullable<UploadItem['problem']>;
}) {
  const { title, reasons, remedy } = refusalOf(problem);
  return (
    <div class="tray-refusal">
      <p>
        <strong>{title}.</strong>
      </p>
      {reasons.map((reason) => (
        <p key={reason}>{reason}</p>
      ))}
      <p class="soft">{remedy}</p>
      {item.object && <ItemLink item={item}>Show what is kept of it</ItemLink>}
    </div>
  );
}

function NotInCollection({ message }: { message: string }) {
  return <span class="tray-fault"> It could not be put into the collection: {message}</span>;
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

function nameOf(name: string): ComponentChildren {
  return <bdi>“{name}”</bdi>;
}

function hasWords({ batch }: UploadItem): boolean {
  return batch.tags.length > 0 || Object.keys(batch.metadata).length > 0;
}

function callsOf(item: UploadItem) {
  const { file, uploadId, object, imageId, batch } = item;
  const member = imageId
    ? ({ resource_type: 'image', resource_id: imageId } as const)
    : ({ resource_type: 'object', resource_id: object?.id ?? 'obj_…' } as const);
  return [
    ['Begin the upload', beginUpload(file.size, metadataOf(item))],
    ['Look how far it is', getUpload(uploadId ?? 'upl_…')],
    ['Read what was stored', getObject(object?.id ?? 'obj_…')],
    ...(batch.target
      ? ([['Put it into the collection', addMember(batch.target.id, member)]] as const)
      : []),
  ] as const;
}
