import type { ImageRecord } from '@scriptorium/contracts/wire/library/images';
import type { ObjectRecord } from '@scriptorium/contracts/wire/library/objects';
import { Link } from 'wouter-preact';
import { useAction } from '../../api/hooks.ts';
import { requestFor, urlOf } from '../../api/request.ts';
import { Button } from '../../kit/button.tsx';
import { DialogButton } from '../../kit/dialog.tsx';
import { Fact } from '../../kit/fact.tsx';
import { Icon } from '../../kit/icons/icon.tsx';
import { MoreMenu } from '../../kit/more-menu.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import { toast } from '../../kit/toasts.tsx';
import { useSession } from '../../shell/session.tsx';
import { tagQueryString } from '../browse/filters/filters.ts';
import { itemOfImage, itemOfObject } from '../browse/item.ts';
import type { Results } from '../browse/results.ts';
import { restore, trash } from '../browse/trash-requests.ts';
import { Downloads } from '../downloads/downloads.tsx';
import { ShareDialog } from '../shares/dialogs.tsx';
import { useDecisions } from './decisions.ts';
import { DescriptionForm } from './description/describe.tsx';
import type { EditableResource } from './description/draft.ts';
import { Facts } from './facts.tsx';
import { useFound } from './found-page.tsx';
import { ListNavigation } from './list-navigation.tsx';
import { ObjectPreview, Preview } from './preview.tsx';
import { Restrictions } from './restrictions.tsx';
import { SignedUrlDialog } from './signed-url-dialog.tsx';
import { ContainingCollections, ObjectJobs } from './usage.tsx';

interface DetailProps {
  image: ImageRecord | null;
  object: ObjectRecord | null;
  results: Results;
  onImage: (image: ImageRecord) => void;
  onObject: (object: ObjectRecord) => void;
  reload: () => void;
}

/** The page of an image or object: preview, details, description and actions. */
export function DetailScreen(props: DetailProps) {
  const { image, object, results, reload } = props;
  const { can } = useSession();
  const record = image ?? object!;
  const objectId = object?.id ?? image!.object_id;
  const isAvailable = record.state === 'available';
  const found = useFound(object, results.correctedQuery);
  const resource: EditableResource = image
    ? { kind: 'image', record: image }
    : { kind: 'object', record: object! };
  const writable = can(image ? 'images:write' : 'objects:write') && record.state !== 'trashed';
  const decisions = useDecisions(objectId, record.version, can('policies:read'));
  const applySaved = (savedResource: EditableResource): void => {
    if (savedResource.kind === 'image') props.onImage(savedResource.record);
    else props.onObject(savedResource.record);
    const item =
      savedResource.kind === 'image'
        ? itemOfImage(savedResource.record)
        : itemOfObject(savedResource.record);
    results.edit((one) => {
      if (one.objectId !== item.objectId) return one;
      const { id, kind, highlights, derivedCount, pages } = one;
      const picture = item.picture ?? one.picture;
      return { ...item, id, kind, highlights, derivedCount, pages, picture };
    });
  };
  return (
    <>
      <ListNavigation ids={image ? [image.id, objectId] : [objectId]} results={results} />
      <PageHead
        title={image?.title ?? record.filename}
        actions={<Actions {...props} objectId={objectId} />}
        primary={
          can('objects:download') &&
          isAvailable &&
          (decisions.byAction?.get('download')?.decision === 'deny' ? (
            <a class="button danger" href="#detail-restrictions">
              Download denied
            </a>
          ) : (
            <a
              class="button primary"
              href={urlOf(requestFor('getObjectContent', { id: objectId }))}
              download={record.filename}
            >
              <Icon name="download" />
              Download
            </a>
          ))
        }
        calls={[
          ...(image ? [['Get image', requestFor('getImage', { id: image.id })] as const] : []),
          ['Get object', requestFor('getObject', { id: objectId })],
          ['Download content', requestFor('getObjectContent', { id: objectId })],
          ...(writable ? [['Move to trash', trash(record.id)] as const] : []),
        ]}
      />
      {record.state === 'trashed' && <TrashedNotice id={record.id} reload={reload} />}
      {object?.rejection && <RejectionNotice rejection={object.rejection} />}
      <div class="detail-body">
        <div class="stack">
          {image && !found ? (
            <Preview image={image} />
          ) : (
            <ObjectPreview object={object!} found={found} />
          )}
          <section class="card stack" aria-labelledby="detail-facts">
            <h2 id="detail-facts">Details</h2>
            <Facts image={image} object={object} />
          </section>
        </div>
        <div class="stack">
          <section class="card stack" aria-labelledby="detail-described">
            <h2 id="detail-described">Description</h2>
            {writable ? (
              <DescriptionForm
                key={record.id}
                resource={resource}
                suggestions={results.facets?.tag.map(({ value }) => value) ?? []}
                onSaved={applySaved}
              />
            ) : (
              <ReadOnlyDescription described={resource} />
            )}
          </section>
          {can('policies:read') && <Restrictions objectId={objectId} decisions={decisions} />}
          {can('collections:read') && can('objects:read') && (
            <ContainingCollections objectId={objectId} />
          )}
          {can('documents:read') && can('objects:read') && isAvailable && (
            <ObjectJobs objectId={objectId} />
          )}
          {can('audit:read') && can('objects:read') && (
            <section class="card stack downloads" aria-labelledby="detail-downloads">
              <h2 id="detail-downloads">Downloads</h2>
              <Downloads objectId={objectId} derivedFrom={object?.derived_from ?? null} />
            </section>
          )}
        </div>
      </div>
    </>
  );
}

function Actions(props: DetailProps & { objectId: string }) {
  const { image, object, objectId, results, reload } = props;
  const { can } = useSession();
  const { run, busy } = useAction();
  const record = image ?? object!;
  const isAvailable = record.state === 'available';
  const mayDelete = can(image ? 'images:write' : 'objects:write');
  const moveToTrash = async (): Promise<void> => {
    if (!(await run(trash(record.id)))) return;
    results.edit((one) => (one.objectId === objectId ? null : one));
    // Objects derived from it are no longer grouped under it.
    if (results.kind === 'objects') results.reload();
    reload();
    toast('good', `${record.filename} moved to trash.`, {
      label: 'Undo',
      run: () => {
        void run(restore(record.id)).then((answer) => {
          if (!answer) return;
          results.reload();
          reload();
          toast('good', 'Restored.');
        });
      },
    });
  };
  return (
    <>
      {can('shares:write') && can('objects:read') && can('images:read') && isAvailable && (
        <DialogButton
          label="Share"
          dialog={(close) => (
            <ShareDialog
              of={{ object_id: objectId }}
              name={record.filename}
              mayUpload={false}
              onClose={close}
            />
          )}
        />
      )}
      {mayDelete && record.state !== 'trashed' && (
        <Button danger busy={busy} onClick={() => void moveToTrash()}>
          Trash
        </Button>
      )}
      <MoreMenu
        items={[
          can('objects:download') &&
            isAvailable && {
              label: 'Signed URL',
              icon: 'copy',
              dialog: (close) => <SignedUrlDialog objectId={objectId} onClose={close} />,
            },
          can('audit:read') && {
            label: 'Access log',
            icon: 'audit',
            href: `~/portal/audit?category=audit&resource_id=${objectId}`,
          },
        ]}
      />
    </>
  );
}

function TrashedNotice({ id, reload }: { id: string; reload: () => void }) {
  const { can } = useSession();
  const { run, busy } = useAction();
  const restoreRecord = async (): Promise<void> => {
    if (!(await run(restore(id)))) return;
    toast('good', 'Restored.');
    reload();
  };
  return (
    <div class="notice warn row">
      <span>In the trash. Permanently deleted after 30 days.</span>
      {can(id.startsWith('img_') ? 'images:write' : 'objects:write') && (
        <Button small busy={busy} onClick={() => void restoreRecord()}>
          Restore
        </Button>
      )}
    </div>
  );
}

function RejectionNotice({ rejection }: { rejection: Record<string, unknown> }) {
  const { detail } = rejection;
  return (
    <div class="notice bad" role="alert">
      Rejected. {typeof detail === 'string' ? detail : ''}
    </div>
  );
}

/** The description, for a key that cannot change it. */
function ReadOnlyDescription({ described }: { described: EditableResource }) {
  const { kind, record } = described;
  const image = kind === 'image' ? record : null;
  const rows = [
    ['Title', image?.title],
    ['Description', image?.description],
    ['Alternative text', image?.alt_text],
    ['Rating', image?.rating && `${image.rating} of 5`],
    ...Object.entries(record.metadata).map(
      ([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const,
    ),
  ] as const;
  return (
    <>
      <dl class="facts">
        {rows.map(([name, value]) => (
          <Fact key={name} name={<bdi>{name}</bdi>} value={value && <bdi>{value}</bdi>} />
        ))}
      </dl>
      {record.tags.length > 0 ? (
        <ul class="browse-chips" aria-label="Tags">
          {record.tags.map((tag) => (
            <li key={tag}>
              <Link href={tagQueryString(tag)} dir="auto">
                {tag}
              </Link>
            </li>
          ))}
        </ul>
      ) : (
        <p class="soft">No tags</p>
      )}
    </>
  );
}
