import type { PolicyAction } from '../../../../contracts/rules.ts';
import type { ImpactRecord } from '../../../../contracts/wire/policies.ts';
import { ResourceLink } from '../../../kit/resource-link.tsx';
import { formatCount } from '../../../kit/values.tsx';
import { actionNames, plural } from '../rules/words.ts';

/** What a policy refuses of what there is, in words. */
export function ImpactWords({ impact }: { impact: ImpactRecord }) {
  const found = actionNames.flatMap((action) => {
    const count = impact.actions[action];
    return count ? [{ action, ...count }] : [];
  });
  const denying = found.filter(({ denied }) => denied > 0);
  const pending = found.filter(({ pending }) => pending > 0);
  const looked = `${impact.complete ? 'all' : 'the newest'} ${formatCount(impact.examined)} available ${plural(impact.examined, 'object')}`;
  return (
    <div class="stack">
      {denying.length === 0 ? (
        <p>Of {looked} it refuses nothing.</p>
      ) : (
        <>
          <p>Of {looked} it refuses:</p>
          <ul class="policy-impact">
            {denying.map(({ action, denied, examples }) => (
              <li key={action}>
                <strong>
                  {nouns[action]} of {formatCount(denied)} {plural(denied, 'object')}
                </strong>
                , e.g.{' '}
                {examples.map((id, at) => (
                  <span key={id}>
                    {at > 0 && ', '}
                    <ResourceLink id={id} />
                  </span>
                ))}
              </li>
            ))}
          </ul>
        </>
      )}
      {pending.map(({ action, pending }) => (
        <p key={action}>
          {nouns[action]} of {formatCount(pending)} more is not settled yet: what a rule has to know
          of them is found out by a worker.
        </p>
      ))}
      <p class="soft">
        Counted as if it were enforced and alone. Who asks, from where and when is not known here:
        rules about addresses and times are left out, and downloads come with a key.
      </p>
    </div>
  );
}

const nouns: Record<PolicyAction, string> = {
  upload: 'Another upload',
  read: 'Showing',
  download: 'Download',
  sign: 'Signed URLs',
  process: 'Processing',
  delete: 'Deletion',
};
