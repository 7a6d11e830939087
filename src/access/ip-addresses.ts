import ipaddr from 'ipaddr.js';

/** Whether an address is in one of the ranges. */
export function isWithin(address: string | null, cidrs: readonly string[]): boolean {
  if (address === null) return false;
  const parsed = ipaddr.process(address);
  return cidrs.some((cidr) => {
    const [range, bits] = ipaddr.parseCIDR(cidr);
    return range.kind() === parsed.kind() && parsed.match(range, bits);
  });
}

/** Whether a text is an IP address range such as 10.0.0.0/8 or 2001:db8::/32. */
export function isCidr(text: string): boolean {
  return ipaddr.isValidCIDR(text);
}

/** Whether the outer range contains every address of the inner one. */
export function cidrContains(outer: string, inner: string): boolean {
  const [outerStart, outerBits] = ipaddr.parseCIDR(outer);
  const [innerStart, innerBits] = ipaddr.parseCIDR(inner);
  return (
    outerStart.kind() === innerStart.kind() &&
    innerBits >= outerBits &&
    innerStart.match(outerStart, outerBits)
  );
}

/**
 * The network that an address is counted under: a single IPv4 address, or an IPv6 /64, because one
 * client can have too many IPv6 addresses to count. Empty if the address is missing or invalid.
 */
export function networkOf(address: string | null | undefined): string {
  if (!address || !ipaddr.isValid(address)) return '';
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const prefix = parsed.toByteArray().slice(0, 8);
  return ipaddr.fromByteArray([...prefix, ...Array<number>(8).fill(0)]).toString();
}
