import type { MemberRecord } from '@scriptorium/contracts/wire/members';

/** Returns the display name of a member. */
export const memberName = ({ name, email, subject, user_id: id }: MemberRecord): string =>
  name ?? email ?? subject ?? id;
