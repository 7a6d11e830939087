import { pluralise } from '@scriptorium/contracts/pluralise';
import type { CollectionRecord } from '@scriptorium/contracts/wire/library/collections';
import { Link, useLocation } from 'wouter-preact';
import { asProblem, type LoadedResource, useAction, useResource } from '../../api/hooks.ts';
import { requestFor, send } from '../../api/request.ts';
import { ApiCalls } from '../../kit/api-calls.tsx';
import { ButtonLink } from '../../kit/button.tsx';
import { DialogButton } from '../../kit/dialog.tsx';
import { usePageTitle } from '../../kit/document-title.ts';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { MoreMenu } from '../../kit/more-menu.tsx';
import { Loading, ProblemState } from '../../kit/states.tsx';
import { toast } from '../../kit/toasts.tsx';
import { useSession } from '../../shell/session.tsx';
import { restore, trash } from '../browse/trash-requests.ts';
import { ShareDialog } from '../shares/dialogs.tsx';
import { DropTarget, UploadButton, useStoredUploads } from '../uploads/index.tsx';
import { CollectionCards } from './cards.tsx';
import { EditCollection } from './edit/index.tsx';
import { MoveDialog } from './edit/move-dialog.tsx';
import { browseParamsOf, queryLabels } from './edit/query-params.ts';
import { AddMembers } from './members/add.tsx';
import { changeMembers } from './members/change.ts';
import { Members } from './members/index.tsx';
import { listMembers, useMembers } from './members/use-members.ts';
import type { CollectionTree } from './use-collections.ts';

/** The page of a collection: its path, members and actions. */
export function CollectionScreen({ id, collections }: { id: string; collections: CollectionTree }) {
  const loaded = useResource(requestFor('getCollection', { id }));
  const { data: record, problem, reload } = loaded;
  if (problem && !record) return <ProblemState problem={problem} onRetry={reload} />;
  if (!record) return <Loading what="the collection" />;
  return <OpenCollection record={record} loaded={loaded} collections={collections} />;
}

interface OpenCollectionProps {
  record: CollectionRecord;
  loaded: LoadedResource<CollectionRecord>;
  collections: CollectionTree;
}

function OpenCollection({ record, loaded, collections }: OpenCollectionProps) {
  usePageTitle(record.name);
  const members = useMembers(record, loaded.reload);
  const isTrashed = record.state === 'trashed';
  const isManual = record.kind === 'manual';
  const reloadAll = (): void => {
    loaded.reload();
    collections.reload();
  };
  useStoredUploads((stored) => {
    if (isManual && stored?.id !== record.id) return;
    members.reload();
    reloadAll();
  });
  return (
    <DropTarget collection={uploadTargetOf(record)}>
      <Breadcrumb record={record} />
      <div class="page-head">
        <h2 class="collection-name">
          <bdi>{record.name}</bdi> <span class="badge">{record.kind}</span>{' '}
          <span class="soft">
            {record.member_count !== null && pluralise(record.member_count, 'member')}
          </span>
        </h2>
        <div class="page-acts">
          <Actions record={record} loaded={loaded} collections={collections} members={members} />
        </div>
      </div>
      {isTrashed && (
        <p class="notice warn">
          This collection is in the trash. Restore it in the{' '}
          <Link href="~/portal/trash?show=collections">trash</Link>.
        </p>
      )}
      {record.description && <p class="collection-description">{record.description}</p>}
      {record.query && (
        <div class="notice row collection-query">
          <span>Query: {queryLabels(record.query).join(' · ') || 'all images'}</span>
          <ButtonLink small href={`~/portal/library?${browseParamsOf(record.query)}`}>
            Open in Browse
          </ButtonLink>
        </div>
      )}
      <CollectionCards
        label="Collections inside this one"
        nodes={collections.nodes.get(record.id)?.children ?? []}
      />
      <Members record={record} results={members} onChanged={reloadAll} />
    </DropTarget>
  );
}

interface ActionsProps extends OpenCollectionProps {
  members: ReturnType<typeof useMembers>;
}

function Actions({ record, loaded, collections, members }: ActionsProps) {
  const { can } = useSession();
  const canWrite = can('collections:write') && record.state !== 'trashed';
  const node = collections.nodes.get(record.id);
  const target = uploadTargetOf(record);
  const reloadAll = (): void => {
    loaded.reload();
    collections.reload();
  };
  return (
    <>
      {canWrite && record.kind === 'manual' && (
        <DialogButton
          label="Add"
          dialog={(close) => (
            <AddMembers
              collection={record}
              onClose={close}
              onAdded={() => {
                members.reload();
                reloadAll();
              }}
            />
          )}
        />
      )}
      {can('shares:write') && record.state !== 'trashed' && (
        <DialogButton
          label="Share"
          dialog={(close) => (
            <ShareDialog
              of={{ collection_id: record.id }}
              name={record.name}
              mayUpload={record.kind === 'manual' && can('collections:write')}
              onClose={close}
            />
          )}
        />
      )}
      {canWrite && (
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
                reloadAll();
              }}
            />
          )}
        />
      )}
      <MoreMenu
        items={[
          can('documents:write') &&
            record.state !== 'trashed' && {
              label: 'Build pack',
              icon: 'packs',
              href: `~/portal/packs/new?collection=${record.id}`,
            },
          canWrite &&
            node !== undefined && {
              label: 'Move',
              icon: 'collections',
              dialog: (close) => (
                <MoveDialog
                  collection={node}
                  nodes={collections.nodes}
                  onClose={close}
                  onMoved={() => {
                    close();
                    reloadAll();
                  }}
                />
              ),
            },
          canWrite && {
            label: 'Move to trash',
            icon: 'trash',
            danger: true,
            dialog: (close) => (
              <TrashDialog record={record} onChanged={collections.reload} onClose={close} />
            ),
          },
        ]}
      />
      <ApiCalls
        calls={[
          ['Get collection', requestFor('getCollection', { id: record.id })],
          ['List members in order', listMembers(record.id, 'resource')],
          [
            'Rename collection',
            requestFor('updateCollection', {
              id: record.id,
              version: record.version,
              body: { name: 'Harbour' },
            }),
          ],
          [
            'Add image',
            changeMembers(record.id, { add: [{ resource_type: 'image', resource_id: 'img_…' }] }),
          ],
          ['Move to trash', trash(record.id)],
        ]}
      />
      {target && can('collections:write') && <UploadButton collection={target} />}
    </>
  );
}

/**
 * Returns the upload target for files dropped on the collection; null if members cannot be added.
 */
function uploadTargetOf({ id, name, kind, state }: CollectionRecord) {
  return kind === 'manual' && state !== 'trashed' ? { id, name } : null;
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

function TrashDialog(props: {
  record: CollectionRecord;
  onChanged: () => void;
  onClose: () => void;
}) {
  const { record, onChanged, onClose } = props;
  const { run, busy } = useAction();
  const [, navigate] = useLocation();
  const undo = async (): Promise<void> => {
    try {
      await send(restore(record.id));
      toast('good', `“${record.name}” restored.`);
      navigate(`~/portal/collections/${record.id}`);
    } catch (error) {
      toast('bad', asProblem(error).message);
    }
    onChanged();
  };
  return (
    <FormDialog
      title="Move this collection to trash?"
      action="Move to trash"
      danger
      busy={busy}
      onClose={onClose}
      onSubmit={async () => {
        if (!(await run(trash(record.id)))) return;
        onClose();
        navigate(record.parent_id ? `/${record.parent_id}` : '/');
        onChanged();
        toast('good', `“${record.name}” moved to trash.`, {
          label: 'Undo',
          run: () => void undo(),
        });
      }}
    >
      <p>
        Collections inside <bdi>“{record.name}”</bdi> are trashed as well. Their images and objects
        are not affected. You can restore the collection for 30 days.
      </p>
    </FormDialog>
  );
}
