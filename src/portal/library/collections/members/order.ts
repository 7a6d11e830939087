import type {
  ListedMember,
  MemberMove,
  MemberRef,
} from '../../../../contracts/wire/library/collections.ts';

export function keyOf(member: Pick<ListedMember, 'resource_id'>): string {
  return member.resource_id;
}

/** A reference to a member, for request bodies. */
export function refOf({ resource_type, resource_id }: ListedMember): MemberRef {
  return { resource_type, resource_id };
}

/** A copy of the list with one item moved. */
export function placed<T>(items: readonly T[], from: number, to: number): T[] {
  const rest = items.filter((_, at) => at !== from);
  return [...rest.slice(0, to), items[from]!, ...rest.slice(to)];
}

/** The position of a member, relative to its neighbour; null if it is the only one. */
export function moveOf(items: readonly ListedMember[], at: number): MemberMove | null {
  const before = items[at - 1];
  if (before) return { after: refOf(before) };
  const next = items[at + 1];
  return next ? { before: refOf(next) } : null;
}
