/** Formats a number of bytes: 1536 as `1.5 kB`. `unit` is the unit below 1000. */
export function formatBytes(bytes: number, unit = 'B'): string {
  const units = [unit, 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unitIndex = 0;
  while (value >= 1000 && unitIndex < units.length - 1) {
    value /= 1000;
    unitIndex += 1;
  }
  return `${unitIndex === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unitIndex]}`;
}
