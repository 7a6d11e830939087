import type { MemberRecord } from '../../../../src/contracts/wire/members.ts';

/** What a member is called. */
export const nameOf = ({ name, email, subject, user_id: id }: MemberRecord): string =>
  name ?? email ?? subject ?? id;
