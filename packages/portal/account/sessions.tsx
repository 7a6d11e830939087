import type { PortalSessionList } from '@scriptorium/contracts/wire/portal';
import { useEffect, useState } from 'preact/hooks';
import { Route, Switch } from 'wouter-preact';
import { asProblem } from '../api/hooks.ts';
import { type ApiProblem, fetchOrThrow, sessionHeaders } from '../api/request.ts';
import { Button } from '../kit/button.tsx';
import { NamedResource } from '../kit/named-resource.tsx';
import { PageHead } from '../kit/page-head.tsx';
import { PageNotFound, ProblemState } from '../kit/states.tsx';
import { Table } from '../kit/table.tsx';
import { toast } from '../kit/toasts.tsx';
import { Time } from '../kit/values.tsx';
import { NoticeSetting } from '../notices/notice-setting.tsx';
import { useSession } from '../shell/session.tsx';
import { browserName } from './browser-name.ts';

const sessionsPath = '/portal/sessions';

type SessionRecord = PortalSessionList['data'][number];

export default function Sessions() {
  return (
    <Switch>
      <Route path="/" component={SessionList} />
      <Route component={PageNotFound} />
    </Switch>
  );
}

/** The active sessions of the person or the key. */
function SessionList() {
  const { session } = useSession();
  const [list, setList] = useState<SessionRecord[] | undefined>();
  const [problem, setProblem] = useState<ApiProblem | undefined>();
  const load = (): void => {
    setProblem(undefined);
    fetchOrThrow(sessionsPath).then(
      async (response) => setList(((await response.json()) as PortalSessionList).data),
      (error: unknown) => setProblem(asProblem(error)),
    );
  };
  useEffect(load, []);
  const endSession = async (url: string, isCurrent: boolean): Promise<void> => {
    try {
      await fetchOrThrow(url, { method: 'DELETE', headers: sessionHeaders() });
    } catch (error) {
      toast('bad', `Could not end the session. ${asProblem(error).message}`);
      return;
    }
    if (isCurrent) window.location.assign('/portal/');
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
          <Button danger onClick={() => void endSession(sessionsPath, true)}>
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
                const listedName = session.projects.find(({ id }) => id === project)?.name;
                const isCurrentProject = project === session.project_id;
                return (
                  <NamedResource
                    id={project}
                    name={listedName ?? (isCurrentProject ? session.project_name : null)}
                  />
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
                  onClick={() => void endSession(`${sessionsPath}/${one.id}`, one.current)}
                >
                  End
                </Button>
              ),
            },
          ]}
        />
      )}
      {/* Shown once the table has loaded, so that it does not move. */}
      {(list || problem) && <NoticeSetting />}
    </div>
  );
}
