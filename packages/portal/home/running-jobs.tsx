import { ButtonLink } from '../kit/button.tsx';
import { Icon } from '../kit/icons/icon.tsx';
import { NamedResource } from '../kit/named-resource.tsx';
import { Progress, StateBadge } from '../kit/values.tsx';
import { useSession } from '../shell/session.tsx';
import type { HomeData } from './use-home.ts';

/** The running and waiting jobs. */
export function RunningJobs({ data }: { data: HomeData }) {
  const { runningJobs, runningElement, names } = data;
  const { can } = useSession();
  if (!runningJobs) return null;
  return (
    <section class="card" aria-labelledby="home-running">
      <div class="live-list" ref={runningElement}>
        <h2 id="home-running">Running</h2>
        {runningJobs.length === 0 ? (
          <p class="home-calm">
            <Icon name="jobs" />
            No jobs are running
            {can('documents:write') && (
              <ButtonLink small href="/jobs/new">
                Start job
              </ButtonLink>
            )}
          </p>
        ) : (
          <ul class="home-lines">
            {runningJobs.map((job) => {
              const name = names.get(job.source_object_id) ?? 'Job';
              return (
                <li key={job.id}>
                  <Icon name="jobs" />
                  <NamedResource id={job.id} name={name} />
                  <span class="home-why">
                    {job.state === 'running' ? (
                      <Progress percent={job.progress.percent} label={`Progress of ${name}`} />
                    ) : (
                      <StateBadge state={job.state} />
                    )}
                  </span>
                </li>
              );
            })}
          </ul>
        )}
      </div>
    </section>
  );
}
