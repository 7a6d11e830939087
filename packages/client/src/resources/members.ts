import type { RequestOptions } from '../transport.ts';
import { type Body, type Query, Resource } from './resource.ts';

/** The people of the project, and invitations. */
export class Members extends Resource {
  list(query: Query<'listMembers'> = {}, options?: RequestOptions) {
    return this.listing('listMembers', { query }, options);
  }
  /** Makes a person a member, by their identity at the provider. */
  add(body: Body<'addMember'>, options?: RequestOptions) {
    return this.transport.call('addMember', { body }, options);
  }
  get(id: string, options?: RequestOptions) {
    return this.transport.call('getMember', { params: { id } }, options);
  }
  /** Changes the role of a member. */
  update(id: string, body: Body<'updateMember'>, options?: RequestOptions) {
    return this.transport.call('updateMember', { params: { id }, body }, options);
  }
  remove(id: string, options?: RequestOptions) {
    return this.transport.call('removeMember', { params: { id } }, options);
  }
  invitations(query: Query<'listInvitations'> = {}, options?: RequestOptions) {
    return this.listing('listInvitations', { query }, options);
  }
  /** Invites a person. Only this response has the link. */
  invite(body: Body<'createInvitation'>, options?: RequestOptions) {
    return this.transport.call('createInvitation', { body }, options);
  }
  invitation(id: string, options?: RequestOptions) {
    return this.transport.call('getInvitation', { params: { id } }, options);
  }
  revokeInvitation(id: string, options?: RequestOptions) {
    return this.transport.call('revokeInvitation', { params: { id } }, options);
  }
}
