import { pluralise } from '@scriptorium/contracts/pluralise';
import type { ApiProblem } from '../../../api/request.ts';
import { SourcePicker, SourceRow } from '../../../jobs/start/source.tsx';
import '../../../jobs/jobs.css';
import { Button } from '../../../kit/button.tsx';
import { faultAt } from '../../../kit/fields/field.tsx';
import { formatCount } from '../../../kit/format-count.ts';
import type { SourceProps } from '../source.tsx';

/** Maximum number of selected objects that are shown by name. */
const maxVisible = 20;

/** Selects objects, one by one. */
export function ObjectsSource({ draft: { objectIds }, onChange, problem }: SourceProps) {
  const setObjectIds = (ids: readonly string[]): void => onChange({ objectIds: ids });
  const missingIds = missingIdsOf(problem, objectIds);
  const fault = faultAt(problem, '/source/object_ids');
  const hiddenCount = objectIds.length - maxVisible;
  return (
    <div class="stack">
      <p>
        <strong>{pluralise(objectIds.length, 'object')} selected</strong>
      </p>
      {objectIds.length > 0 && (
        <ul class="packs-objects">
          {objectIds.slice(0, maxVisible).map((id) => (
            <SourceRow
              key={id}
              id={id}
              onLoaded={() => undefined}
              onRemove={() => setObjectIds(objectIds.filter((other) => other !== id))}
            />
          ))}
        </ul>
      )}
      {hiddenCount > 0 && <p class="soft">And {formatCount(hiddenCount)} more</p>}
      {missingIds.size > 0 && (
        <div class="row">
          <span>{pluralise(missingIds.size, 'object')} no longer found</span>
          <Button small onClick={() => setObjectIds(objectIds.filter((id) => !missingIds.has(id)))}>
            Leave out objects that were not found
          </Button>
        </div>
      )}
      {fault && <span class="fault">{fault}</span>}
      <details open={objectIds.length === 0}>
        <summary>Add an object</summary>
        <SourcePicker selectedIds={objectIds} onPick={(id) => setObjectIds([...objectIds, id])} />
      </details>
    </div>
  );
}

/** Returns the objects that the API did not find. */
function missingIdsOf(problem: ApiProblem | undefined, ids: readonly string[]): Set<string> {
  const positions = (problem?.document.errors ?? []).flatMap(({ code, pointer }) => {
    const at = /^\/source\/object_ids\/(\d+)$/.exec(pointer ?? '')?.[1];
    return code === 'reference_not_found' && at !== undefined ? [Number(at)] : [];
  });
  return new Set(positions.flatMap((at) => ids[at] ?? []));
}
