import type { Scope } from '@scriptorium/contracts/scopes';
import { ApiProblem, type ApiRequest, requestFor, send } from '../api/request.ts';
import { memberName } from '../governance/members/member-name.ts';
import { webhookTitle } from '../kit/webhook-title.ts';
import type { SearchEntry } from './find.ts';

/**
 * Loads the lists that the API cannot search, once each time the palette is opened. Lists whose
 * scope is missing are not requested.
 */
export function readLists(can: (scope: Scope) => boolean): Promise<SearchEntry[]>[] {
  const read = async <T>(
    scope: Scope,
    request: ApiRequest<{ data: T[] }>,
    entryOf: (item: T) => SearchEntry,
  ): Promise<SearchEntry[]> => {
    if (!can(scope)) return [];
    try {
      return (await send(request)).data.data.map(entryOf);
    } catch (error) {
      // A list that cannot be read has no results.
      if (!(error instanceof ApiProblem)) throw error;
      return [];
    }
  };
  return [
    read('webhooks:read', requestFor('listWebhooks', { limit: 200 }), (webhook) => ({
      key: webhook.id,
      group: 'Webhooks',
      icon: 'webhooks',
      title: webhookTitle(webhook),
      ...(webhook.description ? { about: webhook.url } : {}),
      href: `/webhooks/${webhook.id}`,
      words: `${webhook.url} ${webhook.description ?? ''}`,
    })),
    read('policies:read', requestFor('listPolicies', { limit: 200 }), ({ id, name, mode }) => ({
      key: id,
      group: 'Policies',
      icon: 'policies',
      title: name,
      about: mode,
      href: `/policies/${id}`,
      words: name,
    })),
    read('events:read', requestFor('listEventTypes'), ({ type, summary }) => ({
      key: type,
      group: 'Events',
      icon: 'events',
      title: type,
      about: summary,
      href: `/events?type=${type}`,
      words: `${type} ${summary}`,
    })),
    read('members:read', requestFor('listMembers', { limit: 200 }), (member) => ({
      key: member.id,
      group: 'Members',
      icon: 'members',
      title: memberName(member),
      about: member.role,
      href: '/members',
      words: `${member.name ?? ''} ${member.email ?? ''}`,
    })),
    read('keys:read', requestFor('listKeys', { limit: 200 }), ({ id, name, state }) => ({
      key: id,
      group: 'API keys',
      icon: 'keys',
      title: name,
      about: state,
      href: `/keys/${id}`,
      words: name,
    })),
  ];
}
