/** How long what is replaced goes on working, in seconds, to choose from: a week at most. */
export const overlaps: readonly (readonly [seconds: string, label: string])[] = [
  ['0', 'At once'],
  ['3600', 'After an hour'],
  ['86400', 'After a day'],
  ['259200', 'After 3 days'],
  ['604800', 'After 7 days'],
];
