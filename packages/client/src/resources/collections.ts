import type { RequestOptions, Transport } from '../transport.ts';
import { type Body, type Query, Resource } from './resource.ts';

/** A member of a collection. */
export interface MemberReference {
  resource_type: 'image' | 'object';
  resource_id: string;
}

/** Collections of images and objects. */
export class Collections extends Resource {
  readonly members: CollectionMembers;

  constructor(transport: Transport) {
    super(transport);
    this.members = new CollectionMembers(transport);
  }

  list(query: Query<'listCollections'> = {}, options?: RequestOptions) {
    return this.listing('listCollections', { query }, options);
  }
  create(body: Body<'createCollection'>, options?: RequestOptions) {
    return this.transport.call('createCollection', { body }, options);
  }
  get(id: string, options?: RequestOptions) {
    return this.transport.call('getCollection', { params: { id } }, options);
  }
  update(id: string, body: Body<'updateCollection'>, options?: RequestOptions) {
    return this.transport.call('updateCollection', { params: { id }, body }, options);
  }
  trash(id: string, options?: RequestOptions) {
    return this.transport.call('trashCollection', { params: { id } }, options);
  }
  restore(id: string, options?: RequestOptions) {
    return this.transport.call('restoreCollection', { params: { id } }, options);
  }
}

/** The members of a collection, in order. */
export class CollectionMembers extends Resource {
  list(id: string, query: Query<'listCollectionMembers'> = {}, options?: RequestOptions) {
    return this.listing('listCollectionMembers', { params: { id }, query }, options);
  }
  add(id: string, member: MemberReference, options?: RequestOptions) {
    return this.transport.call('addCollectionMember', { params: { id }, body: member }, options);
  }
  /** Adds and removes many at once. */
  change(id: string, body: Body<'changeCollectionMembers'>, options?: RequestOptions) {
    return this.transport.call('changeCollectionMembers', { params: { id }, body }, options);
  }
  /** Moves a member before or after another one. */
  move(
    id: string,
    { resource_type: type, resource_id: rid }: MemberReference,
    body: Body<'moveCollectionMember'>,
    options?: RequestOptions,
  ) {
    return this.transport.call(
      'moveCollectionMember',
      { params: { id, type, rid }, body },
      options,
    );
  }
  remove(id: string, member: MemberReference, options?: RequestOptions) {
    const { resource_type: type, resource_id: rid } = member;
    return this.transport.call('removeCollectionMember', { params: { id, type, rid } }, options);
  }
}
