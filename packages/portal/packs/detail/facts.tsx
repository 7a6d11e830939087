import { pluralise } from '@scriptorium/contracts/pluralise';
import type { PackRecord } from '@scriptorium/contracts/wire/packs';
import { Fact } from '../../kit/fact.tsx';
import { formatCount } from '../../kit/format-count.ts';
import { ResourceLink } from '../../kit/resource-link.tsx';
import { Id, Time } from '../../kit/values.tsx';

/** The source of the documents of a pack, its options and times. */
export function PackFacts({ pack }: { pack: PackRecord }) {
  const { options } = pack;
  return (
    <section class="card" aria-label="Details">
      <dl class="facts">
        <Fact name="Pack" value={<Id id={pack.id} />} />
        <Fact name="Source" value={<PackSource source={pack.source} />} />
        <Fact
          name="Redaction"
          value={
            options.redact
              ? `Profile ${options.redact}${options.review === 'required' ? ', reviewed by people' : ''}`
              : 'None'
          }
        />
        <Fact name="Chunks">
          {formatCount(options.chunk_tokens)} tokens, {formatCount(options.overlap_tokens)} of
          overlap
        </Fact>
        <Fact name="Contents" value={options.include.join(', ')} />
        <Fact
          name="On errors"
          value={options.on_error === 'abort' ? 'Fails' : 'Leaves documents out'}
        />
        <Fact name="Refreshes" value={pack.refreshes && <ResourceLink id={pack.refreshes} />} />
        <Fact name="Retry of" value={pack.retry_of && <ResourceLink id={pack.retry_of} />} />
        <Fact name="Created" value={<Time at={pack.created_at} exact />} />
        <Fact name="Finished" value={<Time at={pack.finished_at} exact />} />
      </dl>
    </section>
  );
}

function PackSource({ source }: Pick<PackRecord, 'source'>) {
  const { collection_id: collection, filter, object_count: count } = source;
  if (collection) {
    return (
      <>
        Collection <ResourceLink id={collection} />
      </>
    );
  }
  if (filter) {
    const criteria = Object.entries(filter).map(([name, value]) => `${name}: ${String(value)}`);
    return (
      <>
        Filter <bdi>{criteria.join(' · ')}</bdi>
      </>
    );
  }
  return <>{pluralise(count ?? 0, 'selected object')}</>;
}
