import { Link, useLocation } from 'wouter-preact';
import type { CollectionRecord } from '../../../contracts/wire/collections.ts';
import { asProblem, type Loaded, useAction, useAnswer } from '../../api/hooks.ts';
import { send } from '../../api/request.ts';
import { ApiCalls } from '../../kit/api-call.tsx';
import { ButtonLink } from '../../kit/button.tsx';
import { Confirm, DialogButton } from '../../kit/dialog.tsx';
import { Loading, ProblemState } from '../../kit/states.tsx';
import { toast } from '../../kit/toasts.tsx';
import { formatCount } from '../../kit/values.tsx';
import { useSession } from '../../shell/session.tsx';
import { DropTarget, UploadButton, useStored } from '../uploads/index.tsx';
import { EditCollection } from './edit/index.tsx';
import { MoveDialog } from './edit/move-dialog.tsx';
import { wordsOf } from './edit/query-words.ts';
import { AddMembers } from './members/add.tsx';
import { Members, useMembers } from './members/index.tsx';
import {
  changeMembers,
  getCollection,
  listMembers,
  patchCollection,
  restoreCollection,
  searchOf,
  trashCollection,
} from './requests.ts';
import type { Collections } from './use-collections.ts';

/** One collection: where it stands, what it holds, and what can be done with it. */
export function CollectionScreen({ id, collections }: { id: string; collections: Collections }) {
  const loaded = useAnswer(getCollection(id));
  const { data: record, problem, reload } = loaded;
  if (problem && !record) return <ProblemState problem={problem} onRetry={reload} />;
  if (!record) return <Loading what="the collection" />;
  return <OpenCollection record={record} loaded={loaded} collections={collections} />;
}

function OpenCollection({
  record,
  loaded,
  collections,
}: {
  record: CollectionRecord;
  loaded: Loaded<CollectionRecord>;
  collections: Collections;
}) {
  const { can } = useSession();
  const members = useMembers(record.id);
  const isTrashed = record.state === 'trashed';
  const canWrite = can('collections:write') && !isTrashed;
  const isManual = record.kind === 'manual';
  const node = collections.nodes.get(record.id);
  const target = isManual && !isTrashed ? { id: record.id, name: record.name } : null;
  const changed = (): void => {
    loaded.reload();
    collections.reload();
  };
  useStored((stored) => {
    if (isManual && stored?.id !== record.id) return;
    members.reload();
    changed();
  });
  return (
    <DropTarget collection={target}>
      <Breadcrumb record={record} />
      <div class="page-head">
        <h2 class="collection-name">
          <bdi>{record.name}</bdi> <span class="badge">{record.kind}</span>{' '}
          <span class="soft">
            {record.member_count !== null && `${formatCount(record.member_count)} members`}
          </span>
        </h2>
        {target && can('collections:write') && <UploadButton collection={target} />}
        {canWrite && isManual && (
          <DialogButton
            label="Add"
            dialog={(close) => (
              <AddMembers
                collection={record}
                onClose={close}
                onAdded={() => {
                  members.reload();
                  changed();
                }}
              />
            )}
          />
        )}
        {canWrite && (
          <>
            <DialogButton
              label="Edit"
              dialog={(close) => (
                <EditCollection
                  record={record}
                  parent={null}
                  onClose={close}
                  onReload={loaded.reload}
                  onSaved={() => {
                    close();
                    members.reload();
                    changed();
                  }}
                />
              )}
            />
            {node && (
              <DialogButton
                label="Move"
                dialog={(close) => (
                  <MoveDialog
                    moving={node}
                    nodes={collections.nodes}
                    onClose={close}
                    onMoved={() => {
                      close();
                      changed();
                    }}
                  />
                )}
              />
            )}
            <TrashButton record={record} changed={collections.reload} />
          </>
        )}
        <ApiCalls
          calls={[
            ['Read the collection', getCollection(record.id)],
            ['List its members in their order', listMembers(record.id, true)],
            ['Rename it', patchCollection(record.id, { name: 'Harbour' }, record.version)],
            [
              'Put an image into it',
              changeMembers(record.id, {
                add: [{ resource_type: 'image', resource_id: 'img_…' }],
              }),
            ],
            ['Put it into the trash', trashCollection(record.id)],
          ]}
        />
      </div>
      {isTrashed && (
        <p class="notice warn">
          This collection is in the trash.{' '}
          <Link href="~/portal/trash?show=collections">Go there</Link> to restore it.
        </p>
      )}
      {record.description && <p class="collection-description">{record.description}</p>}
      {record.query && (
        <div class="notice row collection-query">
          <span>
            It finds its images by itself: {wordsOf(record.query).join(' · ') || 'all images'}.
          </span>
          <ButtonLink small href={`~/portal/library?${searchOf(record.query)}`}>
            Open in Browse
          </ButtonLink>
        </div>
      )}
      <Members record={record} list={members} canWrite={canWrite && isManual} onChanged={changed} />
    </DropTarget>
  );
}

function Breadcrumb({ record }: { record: CollectionRecord }) {
  return (
    <nav aria-label="Path">
      <ol class="breadcrumb">
        <li>
          <Link href="/">All</Link>
        </li>
        {record.path.map(({ id, name }) => (
          <li key={id}>
            {id === record.id ? (
              <bdi aria-current="page">{name}</bdi>
            ) : (
              <Link href={`/${id}`}>
                <bdi>{name}</bdi>
              </Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

function TrashButton({ record, changed }: { record: CollectionRecord; changed: () => void }) {
  const { run, busy } = useAction();
  const [, navigate] = useLocation();
  const restore = async (): Promise<void> => {
    try {
      await send(restoreCollection(record.id));
      toast('good', `“${record.name}” is back.`);
      navigate(`~/portal/collections/${record.id}`);
    } catch (error) {
      toast('bad', asProblem(error).message);
    }
    changed();
  };
  return (
    <DialogButton
      label="Trash"
      danger
      dialog={(close) => (
        <Confirm
          title="Put this collection into the trash?"
          action="Put into the trash"
          danger
          busy={busy}
          onClose={close}
          onConfirm={async () => {
            if (!(await run(trashCollection(record.id)))) return;
            close();
            navigate(record.parent_id ? `/${record.parent_id}` : '/');
            changed();
            toast('good', `“${record.name}” is in the trash.`, {
              label: 'Undo',
              run: () => void restore(),
            });
          }}
        >
          <p>
            All collections inside of <bdi>“{record.name}”</bdi> go with it. What they hold is not
            touched. It can be restored for 30 days.
          </p>
        </Confirm>
      )}
    />
  );
}
