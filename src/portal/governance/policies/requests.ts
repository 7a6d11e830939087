import type { PolicyRecord } from '../../../contracts/wire/policies.ts';
import type { ApiRequest } from '../../api/request.ts';

const path = '/v1/dam/security/policies';

export interface PolicyPage {
  data: PolicyRecord[];
  has_more: boolean;
  next_cursor: string | null;
  total: number | null;
}

/** A project has at most 200: all of them. */
export const listPolicies = (): ApiRequest<PolicyPage> => ({
  method: 'GET',
  path,
  query: { limit: 200 },
});
