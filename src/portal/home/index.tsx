import { requestFor } from '../api/request.ts';
import { PageHead } from '../kit/page-head.tsx';
import { Loading, ProblemState } from '../kit/states.tsx';
import { DropTarget, UploadButton } from '../library/uploads/index.tsx';
import { useSession } from '../shell/session.tsx';
import { Added } from './added.tsx';
import { Attention } from './attention.tsx';
import { Figures } from './figures.tsx';
import { FirstSteps } from './first-steps.tsx';
import { Running } from './running.tsx';
import { useHome } from './use-home.ts';
import './home.css';

/** What needs attention, what runs, what is new, and how full the project is. */
export default function Home() {
  const { can } = useSession();
  const { data, problem, reload } = useHome();
  return (
    <DropTarget>
      <PageHead
        title="Home"
        primary={<UploadButton />}
        calls={[
          ...(can('objects:read')
            ? [['Get usage', requestFor('getUsage', { days: 30 })] as const]
            : []),
          ...(can('documents:read')
            ? [['List failed jobs', requestFor('listJobs', { state: 'failed', limit: 5 })] as const]
            : []),
          ...(can('images:read')
            ? [['List the newest images', requestFor('searchImages', { limit: 8 })] as const]
            : []),
        ]}
      />
      {problem ? (
        <ProblemState problem={problem} onRetry={reload} />
      ) : !data ? (
        <Loading what="the overview" lines={8} />
      ) : (
        <div class="home">
          <FirstSteps data={data} />
          <div class="home-columns">
            <Attention data={data} />
            <Running data={data} />
          </div>
          <Added data={data} />
          <Figures data={data} />
        </div>
      )}
    </DropTarget>
  );
}
