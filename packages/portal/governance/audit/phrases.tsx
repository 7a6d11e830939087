import type { EventData } from '@scriptorium/contracts/events';
import { pluralise } from '@scriptorium/contracts/pluralise';
import type { ComponentChildren } from 'preact';
import { ResourceLink } from '../../kit/resource-link.tsx';
import { actionLabels, formatDuration, ruleTitles } from '../policies/rules/descriptions.ts';

export const denialReasons: Record<string, string> = {
  insufficient_scope: 'the API key lacks the required scope',
  key_limits_exceeded: 'it exceeds the limits of the API key',
  ip_not_allowed: 'the API key is not allowed from this IP address',
  project_forbidden: 'the API key belongs to another project',
};

/** A template tag for phrases that contain components. */
export const phrase = (
  texts: TemplateStringsArray,
  ...parts: readonly ComponentChildren[]
): ComponentChildren => texts.flatMap((text, at) => [text, parts[at]]);

/** A user-provided name, isolated from the surrounding text direction. */
export function Quoted({ text }: { text: string }) {
  return (
    <bdi class="audit-name" title={text}>
      “{text}”
    </bdi>
  );
}

/** Returns the name of a person at the time of the event. */
export function personName(id: string, name: string | null): ComponentChildren {
  return name === null ? <span class="mono">{id}</span> : <bdi title={id}>{name}</bdi>;
}

export function nameLink(id: string, name: string): ComponentChildren {
  return (
    <ResourceLink id={id}>
      <Quoted text={name} />
    </ResourceLink>
  );
}

export function deniedAction(data: EventData<'dam.policy.denied'>): ComponentChildren {
  const action = Object.entries(actionLabels).find(([name]) => name === data.action)?.[1];
  const verb = action?.verb ?? data.action;
  if (data.resource_id === null) {
    return data.filename ? (
      <>
        {verb} the file <Quoted text={data.filename} />
      </>
    ) : (
      <>{verb} a file</>
    );
  }
  return (
    <>
      {verb} <ResourceLink id={data.resource_id} />
    </>
  );
}

export function ruleTitle(type: string): string {
  return (
    Object.entries(ruleTitles)
      .find(([name]) => name === type)?.[1]
      .toLowerCase() ?? type
  );
}

export const withoutUnderscores = (state: string): string => state.replaceAll('_', ' ');
export const pagesFailed = (pages: number): string => `${pluralise(pages, 'page')} failed`;
export const overlapPhrase = (seconds: number): string =>
  seconds === 0
    ? 'the old one expired immediately'
    : `the old one works for ${formatDuration(seconds)} more`;

export function nameList(names: readonly string[]): string {
  return names.map(withoutUnderscores).join(', ');
}

export function codeList(names: readonly string[]): ComponentChildren {
  return names.map((name, at) => (
    <>
      {at > 0 && ', '}
      <code>{name}</code>
    </>
  ));
}

export function quotedList(names: readonly string[]): ComponentChildren {
  return names.map((name, at) => (
    <>
      {at > 0 && ', '}
      <Quoted text={name} />
    </>
  ));
}

export function resourceLinks(ids: readonly string[]): ComponentChildren {
  return ids.map((id, at) => (
    <>
      {at > 0 && ', '}
      <ResourceLink id={id} />
    </>
  ));
}
