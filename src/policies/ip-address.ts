import { validationFailed } from '@scriptorium/contracts/problems';
import ipaddr from 'ipaddr.js';

/** Checks the address in the `context` of a request. @throws Problem 422 if it is not an IP address */
export function requireIpAddress(address: string | null | undefined): void {
  if (address == null || ipaddr.isValid(address)) return;
  const detail = 'It must be an IP address.';
  throw validationFailed([{ pointer: '/context/address', code: 'wrong_format', detail }]);
}
