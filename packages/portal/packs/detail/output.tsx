import { formatBytes } from '@scriptorium/contracts/format-bytes';
import type { PackRecord } from '@scriptorium/contracts/wire/packs';
import { requestFor, urlOf } from '../../api/request.ts';
import { NamedResourceById } from '../../kit/named-resource.tsx';
import { Id } from '../../kit/values.tsx';
import { mimeName } from '../../library/browse/filters/mime-names.ts';
import { useSession } from '../../shell/session.tsx';
import { isFinished } from '../pack-progress.ts';

/** The archive of a pack, to download. */
export function PackOutput({ pack }: { pack: PackRecord }) {
  const { output } = pack;
  const { can } = useSession();
  if (!output) {
    // Reserves the space, so that nothing moves once the archive is built.
    return isFinished(pack) ? null : (
      <section class="card stack packs-output" aria-labelledby="packs-output">
        <h2 id="packs-output">Archive</h2>
        <p class="soft">The archive appears here once it is built.</p>
      </section>
    );
  }
  const contentRequest = requestFor('getObjectContent', { id: output.object_id });
  return (
    <section class="card stack packs-output" aria-labelledby="packs-output">
      <h2 id="packs-output">Archive</h2>
      <div class="row">
        {can('objects:download') && (
          <a class="button primary" href={urlOf(contentRequest)} download>
            Download
          </a>
        )}
        <span>
          {mimeName(output.mime)} · {formatBytes(output.bytes)}
        </span>
        <NamedResourceById id={output.object_id} />
      </div>
      <p class="soft">
        SHA-256 <Id id={output.sha256} />
      </p>
      {!can('objects:download') && (
        <p class="soft">
          Downloading the archive requires the scope <code>objects:download</code>.
        </p>
      )}
    </section>
  );
}
