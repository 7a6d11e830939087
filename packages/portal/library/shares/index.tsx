import { pluralise } from '@scriptorium/contracts/pluralise';
import type { ShareRecord } from '@scriptorium/contracts/wire/library/shares';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Route, Switch } from 'wouter-preact';
import { useList } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { Button, ButtonLink } from '../../kit/button.tsx';
import { ListTable } from '../../kit/list-table.tsx';
import { NamedResourceById } from '../../kit/named-resource.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import { Empty, PageNotFound } from '../../kit/states.tsx';
import type { Column } from '../../kit/table.tsx';
import { CopyButton, StateBadge, Time } from '../../kit/values.tsx';
import { useSession } from '../../shell/session.tsx';
import { ShareContents } from './contents.tsx';
import { EditShareDialog, RevokeShareDialog } from './dialogs.tsx';
import { absoluteUrlOf } from './form.tsx';

export default function Shares() {
  return (
    <Switch>
      <Route path="/" component={ShareList} />
      <Route path="/:id">{({ id }) => <ShareContents key={id} id={id} />}</Route>
      <Route component={PageNotFound} />
    </Switch>
  );
}

/** The shares of the project, with actions that copy, change and revoke them. */
function ShareList() {
  const shares = useList(requestFor('listShares'));
  const [dialog, setDialog] = useState<ComponentChildren>(null);
  const actions = { onClose: () => setDialog(null), onDone: shares.reload };
  return (
    <>
      <PageHead
        title="Shares"
        about="Links for people without a key. Create one on an object or a collection."
        calls={[['List shares', requestFor('listShares')]]}
      />
      <ListTable
        list={shares}
        nouns={['share', 'shares']}
        label="Shares"
        keyOf={({ id }) => id}
        columns={[
          ...columns,
          {
            title: 'Actions',
            kind: 'actions',
            show: (share) => (
              <Actions
                of={share}
                onEdit={() => setDialog(<EditShareDialog of={share} {...actions} />)}
                onRevoke={() => setDialog(<RevokeShareDialog of={share} {...actions} />)}
              />
            ),
          },
        ]}
        empty={
          <Empty icon="shares" title="Nothing is shared">
            Open an object or a collection, and choose Share to create a link.
          </Empty>
        }
      />
      {dialog}
    </>
  );
}

const columns: readonly Column<ShareRecord>[] = [
  { title: 'Shared', show: (share) => <ShareTarget of={share} /> },
  { title: 'State', show: ({ state }) => <StateBadge state={state} /> },
  { title: 'Used', show: (share) => <ShareUsage of={share} /> },
  {
    title: 'Expires',
    show: ({ expires_at }) => (expires_at ? <Time at={expires_at} /> : 'Never'),
  },
  {
    title: 'Created by',
    show: ({ created_by: { id, name } }) =>
      name === null && id !== null ? (
        <NamedResourceById id={id} />
      ) : (
        <bdi>{name ?? 'The service'}</bdi>
      ),
  },
];

function ShareTarget({ of: share }: { of: ShareRecord }) {
  const target = share.object_id ?? share.collection_id;
  return (
    <div>
      {share.title !== null && (
        <div class="two-lines" title={share.title}>
          <bdi>{share.title}</bdi>
        </div>
      )}
      {target === null ? 'Uploads to the library' : <NamedResourceById id={target} />}
      <div class="soft">
        {share.kind === 'upload' ? 'for uploads' : share.allow_download ? '' : 'previews only'}
        {share.has_password && ' with password'}
      </div>
    </div>
  );
}

function ShareUsage({ of: share }: { of: ShareRecord }) {
  return (
    <>
      {share.kind === 'upload'
        ? pluralise(share.uploads, 'upload')
        : `${pluralise(share.views, 'view')}, ${pluralise(share.downloads, 'download')}`}
      {share.last_used_at && (
        <div class="soft">
          last <Time at={share.last_used_at} />
        </div>
      )}
    </>
  );
}

function Actions(props: { of: ShareRecord; onEdit: () => void; onRevoke: () => void }) {
  const { can } = useSession();
  const share = props.of;
  const name = share.title ?? share.id;
  const link = absoluteUrlOf(share);
  if (share.state === 'revoked') return null;
  return (
    <div class="row">
      {share.kind === 'view' && can('objects:read') && (
        <ButtonLink small href={`/${share.id}`} label={`Contents of ${name}`}>
          Contents
        </ButtonLink>
      )}
      {link && (
        <CopyButton text={link} subject={`link of ${name}`}>
          Copy link
        </CopyButton>
      )}
      {can('shares:write') && (
        <>
          <Button small label={`Change ${name}`} onClick={props.onEdit}>
            Change
          </Button>
          <Button small danger label={`Revoke ${name}`} onClick={props.onRevoke}>
            Revoke
          </Button>
        </>
      )}
    </div>
  );
}
