import { packDocumentStates } from '@scriptorium/contracts/packs';
import type { PackDocumentRecord, PackRecord } from '@scriptorium/contracts/wire/packs';
import { useEffect, useRef } from 'preact/hooks';
import { useList } from '../../api/hooks.ts';
import { useQueryState } from '../../api/location.ts';
import { requestFor } from '../../api/request.ts';
import { FilterBar } from '../../kit/filters/filter-bar.tsx';
import { formatCount } from '../../kit/format-count.ts';
import { ListTable } from '../../kit/list-table.tsx';
import { NamedResource } from '../../kit/named-resource.tsx';
import { ResourceLink } from '../../kit/resource-link.tsx';
import type { Column } from '../../kit/table.tsx';
import { StateBadge } from '../../kit/values.tsx';
import { isFinished } from '../pack-progress.ts';

const perPage = 50;
/** The minimum time between reloads while a pack is being built, in milliseconds. */
const minReloadIntervalMs = 1_000;

/** The documents of a pack, with the reasons of those that are left out. */
export function PackDocuments({ pack }: { pack: PackRecord }) {
  const [search, setSearch] = useQueryState();
  const state = search.get('state') ?? '';
  const list = useList(
    requestFor('listPackDocuments', { id: pack.id, state: state || undefined, limit: perPage }),
  );
  useAutoReload(pack, list);
  return (
    <section class="card stack" aria-labelledby="packs-documents">
      <h2 id="packs-documents">Documents</h2>
      <FilterBar
        label="Filters of documents"
        filters={[
          {
            kind: 'choice',
            name: 'state',
            title: 'State',
            value: state,
            options: packDocumentStates.map((one) => [one, one] as const),
          },
        ]}
        onChange={setSearch}
      />
      <ListTable
        list={list}
        nouns={['document', 'documents']}
        label="Documents"
        keyOf={({ position }) => String(position)}
        columns={columns}
        empty={<p class="soft">No documents in this state</p>}
      />
    </section>
  );
}

/** Reloads the list when the pack changes, unless more pages are loaded, and when it has ended. */
function useAutoReload(pack: PackRecord, list: { items: unknown[]; reload: () => void }): void {
  const hasEnded = isFinished(pack);
  const latestList = useRef(list);
  latestList.current = list;
  const lastLoad = useRef({ at: performance.now(), version: pack.version });
  useEffect(() => {
    if (lastLoad.current.version === pack.version) return;
    const wait = hasEnded
      ? 0
      : Math.max(0, lastLoad.current.at + minReloadIntervalMs - performance.now());
    const timer = window.setTimeout(() => {
      lastLoad.current = { at: performance.now(), version: pack.version };
      if (hasEnded || latestList.current.items.length <= perPage) latestList.current.reload();
    }, wait);
    return () => window.clearTimeout(timer);
  }, [pack.version, hasEnded]);
}

const formatOptionalCount = (count: number | null): string =>
  count === null ? '–' : formatCount(count);

function DocumentOutcome({
  document: { state, error, redaction },
}: {
  document: PackDocumentRecord;
}) {
  return (
    <>
      <StateBadge state={state} />
      {error && (
        <p>
          {error.message} <span class="mono soft">{error.code}</span>
        </p>
      )}
      {redaction && (
        <p class="soft">
          Redacted ({redaction.profile}){redaction.verified ? ', verified' : ', not verified'}
          {redaction.reviewed && ', reviewed'}
        </p>
      )}
    </>
  );
}

const columns: readonly Column<PackDocumentRecord>[] = [
  { title: 'Document', show: (one) => <NamedResource id={one.object_id} name={one.filename} /> },
  { title: 'State', show: (document) => <DocumentOutcome document={document} /> },
  { title: 'Pages', kind: 'number', show: ({ pages }) => formatOptionalCount(pages) },
  { title: 'Tokens', kind: 'number', show: ({ tokens }) => formatOptionalCount(tokens) },
  {
    title: 'Job',
    show: (document) =>
      document.job_id ? (
        <ResourceLink id={document.job_id}>
          {document.reused ? 'Earlier job' : 'Job'}
          <span class="visually-hidden"> of {document.filename}</span>
        </ResourceLink>
      ) : (
        <span class="soft">–</span>
      ),
  },
];
