import type { Scope } from '@scriptorium/contracts/scopes';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { IconButton } from '../kit/button.tsx';
import { Icon } from '../kit/icons/icon.tsx';
import type { IconName } from '../kit/icons/icons.ts';
import { offerFiles } from '../library/uploads/inbox.ts';
import { useSession } from '../shell/session.tsx';
import type { HomeData } from './use-home.ts';

interface Step {
  title: string;
  about: string;
  icon: IconName;
  scope: Scope;
  /** Undefined if the session may not read it. */
  done: boolean | undefined;
  /** A path, or an action on this page. */
  go: string | (() => void);
}

/**
 * Guides the user through an empty project: each step is ticked once it is done. Hidden once all
 * steps are done, or on request.
 */
export function FirstSteps({ data }: { data: HomeData }) {
  const { session, can } = useSession();
  const kept = `first-steps ${session.project_id}`;
  const [hidden, setHidden] = useState(() => localStorage.getItem(kept) === 'hidden');
  const steps = stepsOf(data).filter(({ scope, done }) => can(scope) && done !== undefined);
  if (hidden || steps.every(({ done }) => done)) return null;
  const left = steps.filter(({ done }) => !done).length;
  return (
    <section class="card home-steps" aria-labelledby="home-steps">
      <div class="home-head">
        <h2 id="home-steps">First steps</h2>
        <span class="soft">
          {steps.length - left} of {steps.length} done
        </span>
        <IconButton
          small
          icon="close"
          label="Hide the first steps"
          onClick={() => {
            localStorage.setItem(kept, 'hidden');
            setHidden(true);
          }}
        />
      </div>
      <ol>
        {steps.map((step) => (
          <li key={step.title} class={step.done ? 'done' : ''}>
            <Icon name={step.done ? 'good' : step.icon} size={20} />
            <div>
              {step.done ? (
                <>
                  <strong>{step.title}</strong> <span class="visually-hidden">Done</span>
                </>
              ) : typeof step.go === 'string' ? (
                <Link href={step.go}>{step.title}</Link>
              ) : (
                <button type="button" class="as-link" onClick={step.go}>
                  {step.title}
                </button>
              )}
              <p class="soft">{step.about}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

const stepsOf = ({ usage, hasJobs, webhooks }: HomeData): Step[] => [
  {
    title: 'Upload a file',
    about: 'Images, PDFs, Office files, e-mails and text. You can also drop files on this page.',
    icon: 'upload',
    scope: 'objects:write',
    done: usage && usage.objects.used > 0,
    go: () => offerFiles([], null),
  },
  {
    title: 'Recognise a document',
    about: 'A job reads, redacts, classifies or prepares it for a language model.',
    icon: 'jobs',
    scope: 'documents:write',
    done: hasJobs,
    go: '/jobs/new',
  },
  {
    title: 'Connect a webhook',
    about: 'Your service receives every change as a signed event, with retries.',
    icon: 'webhooks',
    scope: 'webhooks:write',
    done: webhooks && webhooks.length > 0,
    go: '/webhooks/new',
  },
  {
    title: 'Create an API key',
    about: 'For your code, with the scopes that it needs.',
    icon: 'keys',
    scope: 'keys:write',
    // The first key was created with the project.
    done: usage && usage.api_keys.used > 1,
    go: '/keys/new',
  },
];
