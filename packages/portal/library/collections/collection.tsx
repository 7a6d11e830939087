import { pluralise } from '@scriptorium/contracts/pluralise';
import type { CollectionRecord } from '@scriptorium/contracts/wire/library/collections';
import { Link, useLocation } from 'wouter-preact';
import { asProblem, type Loaded, useAction, useAnswer } from '../../api/hooks.ts';
import { requestFor, send } from '../../api/request.ts';
import { ApiCalls } from '../../kit/api-call.tsx';
import { ButtonLink } from '../../kit/button.tsx';
import { DialogButton } from '../../kit/dialog.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { MoreMenu } from '../../kit/menu.tsx';
import { Loading, ProblemState } from '../../kit/states.tsx';
import { usePageTitle } from '../../kit/title.ts';
import { toast } from '../../kit/toasts.tsx';
import { useSession } from '../../shell/session.tsx';
import { restore, trash } from '../browse/trashing.ts';
import { ShareDialog } from '../shares/dialogs.tsx';
import { DropTarget, UploadButton, useStored } from '../uploads/index.tsx';
import { Cards } from './cards.tsx';
import { EditCollection } from './edit/index.tsx';
import { MoveDialog } from './edit/move-dialog.tsx';
import { browseSearchOf, wordsOf } from './edit/query-search.ts';
import { AddMembers } from './members/add.tsx';
import { changeMembers } from './members/change.ts';
import { Members, useMembers } from './members/index.tsx';
import type { Collections } from './use-collections.ts';

/** The page of a collection: its path, members and actions. */
export function CollectionScreen({ id, collections }: { id: string; collections: Collections }) {
  const loaded = useAnswer(requestFor('getCollection', { id }));
  const { data: record, problem, reload } = loaded;
  if (problem && !record) return <ProblemState problem={problem} onRetry={reload} />;
  if (!record) return <Loading what="the collection" />;
  return <OpenCollection record={record} loaded={loaded} collections={collections} />;
}

interface OpenCollectionProps {
  record: CollectionRecord;
  loaded: Loaded<CollectionRecord>;
  collections: Collections;
}

function OpenCollection({ record, loaded, collections }: OpenCollectionProps) {
  usePageTitle(record.name);
  const { can } = useSession();
  const members = useMembers(record.id);
  const isTrashed = record.state === 'trashed';
  const canWrite = can('collections:write') && !isTrashed;
  const isManual = record.kind === 'manual';
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
    <DropTarget collection={targetOf(record)}>
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
          <span>Query: {wordsOf(record.query).join(' · ') || 'all images'}</span>
          <ButtonLink small href={`~/portal/library?${browseSearchOf(record.query)}`}>
            Open in Browse
          </ButtonLink>
        </div>
      )}
      <Cards
        label="Collections inside this one"
        nodes={collections.nodes.get(record.id)?.children ?? []}
      />
      <Members record={record} list={members} canWrite={canWrite && isManual} onChanged={changed} />
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
  const target = targetOf(record);
  const changed = (): void => {
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
                changed();
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
                changed();
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
                  moving={node}
                  nodes={collections.nodes}
                  onClose={close}
                  onMoved={() => {
                    close();
                    changed();
                  }}
                />
              ),
            },
          canWrite && {
            label: 'Move to trash',
            icon: 'trash',
            danger: true,
            dialog: (close) => (
              <TrashDialog record={record} changed={collections.reload} onClose={close} />
            ),
          },
        ]}
      />
      <ApiCalls
        calls={[
          ['Get collection', requestFor('getCollection', { id: record.id })],
          [
            'List members in order',
            requestFor('listCollectionMembers', { id: record.id, limit: 100, include: 'resource' }),
          ],
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
function targetOf({ id, name, kind, state }: CollectionRecord) {
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
  changed: () => void;
  onClose: () => void;
}) {
  const { record, changed, onClose } = props;
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
    changed();
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
        changed();
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
