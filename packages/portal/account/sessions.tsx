import type { PortalSessionList } from '@scriptorium/contracts/wire/portal';
import { useEffect, useState } from 'preact/hooks';
import { Route, Switch } from 'wouter-preact';
import { asProblem } from '../api/hooks.ts';
import { type ApiProblem, fetchOrProblem, sessionHeaders } from '../api/request.ts';
import { Button } from '../kit/button.tsx';
import { Named } from '../kit/named.tsx';
import { PageHead } from '../kit/page-head.tsx';
import { PageNotFound, ProblemState } from '../kit/states.tsx';
import { Table } from '../kit/table.tsx';
import { toast } from '../kit/toasts.tsx';
import { Time } from '../kit/values.tsx';
import { NoticeSetting } from '../notices/setting.tsx';
import { useSession } from '../shell/session.tsx';
import { browserName } from './browser-name.ts';

const path = '/portal/sessions';

type Live = PortalSessionList['data'][number];

export default function Sessions() {
  return (
    <Switch>
      <Route path="/" component={SessionList} />
      <Route component={PageNotFound} />
    </Switch>
  );
}

/** The live sessions of the person, or of the key. */
function SessionList() {
  const { session } = useSession();
  const [list, setList] = useState<Live[] | undefined>();
  const [problem, setProblem] = useState<ApiProblem | undefined>();
  const load = (): void => {
    setProblem(undefined);
    fetchOrProblem(path).then(
      async (response) => setList(((await response.json()) as PortalSessionList).data),
      (error: unknown) => setProblem(asProblem(error)),
    );
  };
  useEffect(load, []);
  const end = async (target: string, leaves: boolean): Promise<void> => {
    try {
      await fetchOrProblem(target, { method: 'DELETE', headers: sessionHeaders() });
    } catch (error) {
      toast('bad', `Could not end the session. ${asProblem(error).message}`);
      return;
    }
    if (leaves) window.location.assign('/portal/');
    else load();
  };
  return (
    <div class="stack">
      <PageHead
        title="Sessions"
        about={
          <>
            Where {session.user ? 'you are' : 'your API key is'} signed in to the portal. A session
            ends after 12 hours, and after 2 hours without use.
          </>
        }
        actions={
          <Button danger onClick={() => void end(path, true)}>
            End all sessions
          </Button>
        }
      />
      {problem ? (
        <ProblemState problem={problem} onRetry={load} />
      ) : (
        <Table
          label="Sessions"
          items={list ?? []}
          keyOf={({ id }) => id}
          loading={!list}
          columns={[
            {
              title: 'Browser',
              show: (one) => (
                <>
                  <bdi title={one.user_agent ?? undefined}>
                    {one.user_agent === null ? 'Unknown' : browserName(one.user_agent)}
                  </bdi>{' '}
                  {one.current && <span class="badge">this session</span>}
                </>
              ),
            },
            { title: 'Address', show: ({ address }) => address ?? 'Unknown' },
            {
              title: 'Project',
              show: ({ project_id: project }) => {
                const named = session.projects.find(({ id }) => id === project)?.name;
                const isThis = project === session.project_id;
                return (
                  <Named id={project} name={named ?? (isThis ? session.project_name : null)} />
                );
              },
            },
            { title: 'Started', kind: 'line', show: (one) => <Time at={one.created_at} /> },
            { title: 'Last used', kind: 'line', show: (one) => <Time at={one.last_seen_at} /> },
            {
              title: 'Actions',
              kind: 'actions',
              show: (one) => (
                <Button
                  small
                  label={`End the session from ${one.address ?? 'an unknown address'}, started ${one.created_at}`}
                  onClick={() => void end(`${path}/${one.id}`, one.current)}
                >
                  End
                </Button>
              ),
            },
          ]}
        />
      )}
      {/* Below a table, whose size is known. */}
      {(list || problem) && <NoticeSetting />}
    </div>
  );
}
