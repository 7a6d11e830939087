/** The keys of the workbench, in the order of the legend. */
export const shortcuts = [
  ['j', 'Next finding'],
  ['k', 'Previous finding'],
  ['a', 'Accept all places of the value, and go to the next pending one'],
  ['r', 'Reject all places of the value, and go to the next pending one; delete an added finding'],
  ['l', 'Next place of the value'],
  ['h', 'Previous place of the value'],
  ['shift+a', 'Accept only this place'],
  ['shift+r', 'Reject only this place'],
  ['u', 'Undo'],
  ['s', 'Submit the review'],
  ['o', 'Show the original or the result'],
  ['n', 'Next page with pending findings'],
  ['d', 'Draw a box'],
  ['w', 'Select words'],
  ['e', 'Redact everywhere'],
  ['+', 'Zoom in'],
  ['-', 'Zoom out'],
  ['0', 'Reset the zoom'],
  ['?', 'Show these keys'],
] as const;

export type ShortcutKey = (typeof shortcuts)[number][0];
