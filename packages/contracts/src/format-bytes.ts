/** 1536 as `1.5 kB`. `unit` is the noun for single bytes. */
export function formatBytes(bytes: number, unit = 'B'): string {
  const units = [unit, 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let at = 0;
  while (value >= 1000 && at < units.length - 1) {
    value /= 1000;
    at += 1;
  }
  return `${at === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[at]}`;
}
