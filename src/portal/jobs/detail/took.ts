import { formatSeconds } from '../../kit/values.tsx';

/** How long something took, in words. */
export function took(from: string, to: string): string {
  return formatSeconds((Date.parse(to) - Date.parse(from)) / 1000);
}
