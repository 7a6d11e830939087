import type { Scope } from '@scriptorium/contracts/scopes';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { IconButton } from '../kit/button.tsx';
import { Icon } from '../kit/icons/icon.tsx';
import type { IconName } from '../kit/icons/icons.ts';
import { offerFiles } from '../library/uploads/upload-events.ts';
import { useSession } from '../shell/session.tsx';
import type { HomeData } from './use-home.ts';

interface Step {
  title: string;
  about: string;
  icon: IconName;
  scope: Scope;
  /** Undefined if the session may not read the data. */
  isDone: boolean | undefined;
  /** A path, or an action on this page. */
  target: string | (() => void);
}

/**
 * Guides the user through an empty project: each step is ticked once it is done. Hidden once all
 * steps are done, or on request.
 */
export function FirstSteps({ data }: { data: HomeData }) {
  const { session, can } = useSession();
  const storageKey = `first-steps ${session.project_id}`;
  const [isHidden, setIsHidden] = useState(() => localStorage.getItem(storageKey) === 'hidden');
  const steps = stepsOf(data).filter(({ scope, isDone }) => can(scope) && isDone !== undefined);
  if (isHidden || steps.every(({ isDone }) => isDone)) return null;
  const remaining = steps.filter(({ isDone }) => !isDone).length;
  return (
    <section class="card home-steps" aria-labelledby="home-steps">
      <div class="home-head">
        <h2 id="home-steps">First steps</h2>
        <span class="soft">
          {steps.length - remaining} of {steps.length} done
        </span>
        <IconButton
          small
          icon="close"
          label="Hide the first steps"
          onClick={() => {
            localStorage.setItem(storageKey, 'hidden');
            setIsHidden(true);
          }}
        />
      </div>
      <ol>
        {steps.map((step) => (
          <li key={step.title} class={step.isDone ? 'done' : ''}>
            <Icon name={step.isDone ? 'good' : step.icon} size={20} />
            <div>
              {step.isDone ? (
                <>
                  <strong>{step.title}</strong> <span class="visually-hidden">Done</span>
                </>
              ) : typeof step.target === 'string' ? (
                <Link href={step.target}>{step.title}</Link>
              ) : (
                <button type="button" class="as-link" onClick={step.target}>
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
    isDone: usage && usage.objects.used > 0,
    target: () => offerFiles([], null),
  },
  {
    title: 'Recognise a document',
    about: 'A job reads, redacts, classifies or prepares it for a language model.',
    icon: 'jobs',
    scope: 'documents:write',
    isDone: hasJobs,
    target: '/jobs/new',
  },
  {
    title: 'Connect a webhook',
    about: 'Your service receives every change as a signed event, with retries.',
    icon: 'webhooks',
    scope: 'webhooks:write',
    isDone: webhooks && webhooks.length > 0,
    target: '/webhooks/new',
  },
  {
    title: 'Create an API key',
    about: 'For your code, with the scopes that it needs.',
    icon: 'keys',
    scope: 'keys:write',
    // The first key was created with the project.
    isDone: usage && usage.api_keys.used > 1,
    target: '/keys/new',
  },
];
