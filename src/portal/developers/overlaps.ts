/** How long a replaced secret keeps working: the choices, in seconds. */
export const overlaps: readonly (readonly [seconds: string, label: string])[] = [
  ['0', 'Immediately'],
  ['3600', 'After 1 hour'],
  ['86400', 'After 1 day'],
  ['259200', 'After 3 days'],
  ['604800', 'After 7 days'],
];
