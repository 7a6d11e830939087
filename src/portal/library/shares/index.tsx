import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Route, Switch } from 'wouter-preact';
import { pluralise } from '../../../contracts/pluralise.ts';
import type { ShareRecord } from '../../../contracts/wire/library/shares.ts';
import { useList } from '../../api/hooks.ts';
import { ApiCalls } from '../../kit/api-call.tsx';
import { Button } from '../../kit/button.tsx';
import { More } from '../../kit/more.tsx';
import { ResourceLink } from '../../kit/resource-link.tsx';
import { Empty, Loading, PageNotFound, ProblemState } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { Copy, State, Time } from '../../kit/values.tsx';
import { useSession } from '../../shell/session.tsx';
import { EditShare, RevokeShare } from './dialogs.tsx';
import { linkOf, listShares } from './requests.ts';

export default function Shares() {
  return (
    <Switch>
      <Route path="/" component={ShareList} />
      <Route component={PageNotFound} />
    </Switch>
  );
}

/** The links of the project: to copy, change and revoke. */
function ShareList() {
  const shares = useList(listShares());
  const [dialog, setDialog] = useState<ComponentChildren>(null);
  const close = () => setDialog(null);
  const actions = { onClose: close, onDone: shares.reload };
  return (
    <>
      <div class="page-head">
        <div>
          <h1>Shares</h1>
          <p>Links for people without a key. Create one on an object or a collection.</p>
        </div>
        <ApiCalls calls={[['List shares', listShares()]]} />
      </div>
      {shares.problem ? (
        <ProblemState problem={shares.problem} onRetry={shares.reload} />
      ) : shares.loading && shares.items.length === 0 ? (
        <Loading what="shares" />
      ) : shares.items.length === 0 ? (
        <Empty title="Nothing is shared">
          Open an object or a collection, and choose Share to create a link.
        </Empty>
      ) : (
        <>
          <Table
            label="Shares"
            headings={['Shared', 'State', 'Used', 'Expires', 'Created by', ['Actions', 'hidden']]}
          >
            {shares.items.map((share) => (
              <Row
                key={share.id}
                of={share}
                onEdit={() => setDialog(<EditShare of={share} {...actions} />)}
                onRevoke={() => setDialog(<RevokeShare of={share} {...actions} />)}
              />
            ))}
          </Table>
          <More list={shares} nouns={['share', 'shares']} />
        </>
      )}
      {dialog}
    </>
  );
}

function Row(props: { of: ShareRecord; onEdit: () => void; onRevoke: () => void }) {
  const { can } = useSession();
  const share = props.of;
  const target = share.object_id ?? share.collection_id;
  const name = share.title ?? share.id;
  const link = linkOf(share);
  const isOpen = share.state !== 'revoked';
  return (
    <tr>
      <td>
        {share.title !== null && (
          <div>
            <bdi>{share.title}</bdi>
          </div>
        )}
        {target === null ? 'Uploads to the library' : <ResourceLink id={target} />}
        <div class="soft">
          {share.kind === 'upload' ? 'for uploads' : share.allow_download ? '' : 'previews only'}
          {share.has_password && ' with password'}
        </div>
      </td>
      <td>
        <State state={share.state} />
      </td>
      <td>
        {share.kind === 'upload'
          ? pluralise(share.uploads, 'upload')
          : `${pluralise(share.views, 'view')}, ${pluralise(share.downloads, 'download')}`}
        {share.last_used_at && (
          <div class="soft">
            last <Time at={share.last_used_at} />
          </div>
        )}
      </td>
      <td>{share.expires_at ? <Time at={share.expires_at} /> : 'never'}</td>
      <td>
        <bdi>{share.created_by.name ?? share.created_by.id}</bdi>
      </td>
      <td>
        <div class="row">
          {link && isOpen && (
            <Copy text={link} what={`link of ${name}`}>
              Copy link
            </Copy>
          )}
          {can('shares:write') && isOpen && (
            <>
              <Button label={`Change ${name}`} onClick={props.onEdit}>
                Change
              </Button>
              <Button danger label={`Revoke ${name}`} onClick={props.onRevoke}>
                Revoke
              </Button>
            </>
          )}
        </div>
      </td>
    </tr>
  );
}
