import { formatSeconds } from '../../kit/values.tsx';

/** The duration between two timestamps. */
export function took(from: string, to: string): string {
  return formatSeconds((Date.parse(to) - Date.parse(from)) / 1000);
}
