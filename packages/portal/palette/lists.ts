import type { Scope } from '@scriptorium/contracts/scopes';
import { ApiProblem, type ApiRequest, requestFor, send } from '../api/request.ts';
import { nameOf } from '../governance/members/name-of.ts';
import type { Entry } from './find.ts';

/**
 * Reads the lists that the API cannot search: once while the palette is open, for any text. Without
 * its scope, a list is not requested.
 */
export function readLists(can: (scope: Scope) => boolean): Promise<Entry[]>[] {
  const read = async <T>(
    scope: Scope,
    request: ApiRequest<{ data: T[] }>,
    entryOf: (item: T) => Entry,
  ): Promise<Entry[]> => {
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
    read('webhooks:read', requestFor('listWebhooks', { limit: 200 }), (one) => ({
      key: one.id,
      group: 'Webhooks',
      icon: 'webhooks',
      title: one.description || one.url,
      ...(one.description ? { about: one.url } : {}),
      href: `/webhooks/${one.id}`,
      words: `${one.url} ${one.description ?? ''}`,
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
      title: nameOf(member),
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
