import { pluralise } from '../../../contracts/pluralise.ts';
import type { PackRecord } from '../../../contracts/wire/packs.ts';
import { formatCount } from '../../kit/count.ts';
import { ResourceLink } from '../../kit/resource-link.tsx';
import { Id, Time } from '../../kit/values.tsx';

/** Where the documents of a pack come from, its options and times. */
export function Facts({ pack }: { pack: PackRecord }) {
  const { options } = pack;
  return (
    <section class="card" aria-label="Details">
      <dl class="facts">
        <dt>Pack</dt>
        <dd>
          <Id id={pack.id} />
        </dd>
        <dt>Source</dt>
        <dd>
          <Source source={pack.source} />
        </dd>
        <dt>Redaction</dt>
        <dd>
          {options.redact
            ? `Profile ${options.redact}${options.review === 'required' ? ', reviewed by people' : ''}`
            : 'None'}
        </dd>
        <dt>Chunks</dt>
        <dd>
          {formatCount(options.chunk_tokens)} tokens, {formatCount(options.overlap_tokens)} of
          overlap
        </dd>
        <dt>Contents</dt>
        <dd>{options.include.join(', ')}</dd>
        <dt>On errors</dt>
        <dd>{options.on_error === 'abort' ? 'Fails' : 'Leaves documents out'}</dd>
        {pack.refreshes && (
          <>
            <dt>Refreshes</dt>
            <dd>
              <ResourceLink id={pack.refreshes} />
            </dd>
          </>
        )}
        {pack.retry_of && (
          <>
            <dt>Retry of</dt>
            <dd>
              <ResourceLink id={pack.retry_of} />
            </dd>
          </>
        )}
        <dt>Created</dt>
        <dd>
          <Time at={pack.created_at} exact />
        </dd>
        <dt>Finished</dt>
        <dd>
          <Time at={pack.finished_at} exact />
        </dd>
      </dl>
    </section>
  );
}

function Source({ source }: Pick<PackRecord, 'source'>) {
  const { collection_id: collection, filter, object_count: count } = source;
  if (collection) {
    return (
      <>
        Collection <ResourceLink id={collection} />
      </>
    );
  }
  if (filter) {
    const given = Object.entries(filter).map(([name, value]) => `${name}: ${String(value)}`);
    return (
      <>
        Filter <bdi>{given.join(' · ')}</bdi>
      </>
    );
  }
  return <>{pluralise(count ?? 0, 'selected object')}</>;
}
