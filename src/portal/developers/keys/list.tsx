import { Link } from 'wouter-preact';
import { scopes } from '../../../contracts/scopes.ts';
import type { KeyRecord } from '../../../contracts/wire/keys.ts';
import { useList } from '../../api/hooks.ts';
import { useQueryState } from '../../api/location.ts';
import { ButtonLink } from '../../kit/button.tsx';
import { SelectField } from '../../kit/fields/field.tsx';
import { More } from '../../kit/more.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import { Empty, Loading, ProblemState } from '../../kit/states.tsx';
import { State, Time } from '../../kit/values.tsx';
import { useSession } from '../../shell/session.tsx';
import { listKeys } from './requests.ts';

export function KeyList() {
  const { session, can } = useSession();
  const [query, setQuery] = useQueryState();
  const state = query.get('state') ?? '';
  const request = listKeys({ state });
  const list = useList(request);
  return (
    <>
      <PageHead
        title="API keys"
        about="Keys authenticate requests to this project. Their scopes define what they can do."
        calls={[['List API keys', request]]}
        primary={
          can('keys:write') && (
            <ButtonLink primary href="/new">
              Create API key
            </ButtonLink>
          )
        }
      />
      <div class="dev-filters">
        <SelectField
          label="State"
          value={state}
          onChange={(value) => setQuery({ state: value })}
          options={[
            ['', 'All'],
            ['active', 'Active'],
            ['revoked', 'Revoked'],
            ['expired', 'Expired'],
          ]}
        />
      </div>
      {list.problem ? (
        <ProblemState problem={list.problem} onRetry={list.reload} />
      ) : list.loading && list.items.length === 0 ? (
        <Loading what="API keys" />
      ) : list.items.length === 0 ? (
        <Empty title={state ? `No ${state} API keys` : 'No API keys'} />
      ) : (
        <>
          <section class="table-frame" tabIndex={0} aria-label="API keys">
            <table class="table">
              <thead>
                <tr>
                  <th scope="col">Name</th>
                  <th scope="col">State</th>
                  <th scope="col">Scopes</th>
                  <th scope="col">Addresses</th>
                  <th scope="col">Last used</th>
                  <th scope="col">Expires</th>
                </tr>
              </thead>
              <tbody>
                {list.items.map((key) => (
                  <Row key={key.id} of={key} own={key.id === session.key?.id} />
                ))}
              </tbody>
            </table>
          </section>
          <More list={list} nouns={['API key', 'API keys']} />
        </>
      )}
    </>
  );
}

function Row({ of: key, own }: { of: KeyRecord; own: boolean }) {
  return (
    <tr>
      <td class="dev-name">
        <Link href={`/${key.id}`} class="dev-any">
          {key.name}
        </Link>{' '}
        {own && <span class="badge">yours</span>}
        <div class="mono soft">sk_{key.prefix.replace(/^sk_/, '')}…</div>
      </td>
      <td>
        <State state={key.state} />
      </td>
      <td>{key.scopes.includes('*') ? 'All' : `${key.scopes.length} of ${scopes.length - 1}`}</td>
      <td>{key.allowed_cidrs.length === 0 ? 'Any' : key.allowed_cidrs.join(', ')}</td>
      <td>{key.last_used_at ? <Time at={key.last_used_at} /> : 'Never'}</td>
      <td>{key.expires_at ? <Time at={key.expires_at} /> : 'Never'}</td>
    </tr>
  );
}
