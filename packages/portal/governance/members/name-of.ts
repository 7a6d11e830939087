import type { MemberRecord } from '@scriptorium/contracts/wire/members';

/** What a member is called. */
export const nameOf = ({ name, email, subject, user_id: id }: MemberRecord): string =>
  name ?? email ?? subject ?? id;
