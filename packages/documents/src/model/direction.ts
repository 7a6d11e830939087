/** Letters of right-to-left scripts, without digits and the signs in numbers (٪ ٫ ٬). */
export const rightToLeftScript =
  /(?![\p{N}\u066a-\u066c])[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const leftToRight = /\p{L}/u;
/**
 * Letters of right-to-left scripts are in this range. Checking the range is faster than checking
 * the script.
 */
const rightToLeftRange = /[\u0590-\uffff]/;

type Texts = readonly { text: string }[];

/** Whether a text has letters of right-to-left scripts. */
export const hasRightToLeftLetters = (text: string): boolean =>
  rightToLeftRange.test(text) && rightToLeftScript.test(text);

/** Whether a line runs from right to left: most of its letters are in a right-to-left script. */
export function isRightToLeftLine(words: Texts): boolean {
  if (!words.some(({ text }) => rightToLeftRange.test(text))) return false;
  let [rightToLeftCount, leftToRightCount] = [0, 0];
  for (const { text } of words) {
    if (rightToLeftScript.test(text)) rightToLeftCount += text.length;
    else if (leftToRight.test(text)) leftToRightCount += text.length;
  }
  return rightToLeftCount > leftToRightCount;
}

/**
 * Whether a line runs from right to left. `surroundingsRightToLeft` is whether most of the
 * surrounding text does.
 */
export const runsRightToLeft = (words: Texts, surroundingsRightToLeft: boolean): boolean =>
  isRightToLeftLine(words) ||
  (surroundingsRightToLeft && words.some(({ text }) => hasRightToLeftLetters(text)));

/**
 * Returns the reading order of a line's words, as indexes of `words`, which are sorted from left to
 * right. `rightToLeft` is whether the line runs from right to left. Words of the opposite direction
 * keep their order, including the text between them (UAX #9, as far as the page permits).
 */
export function readingOrder(words: Texts, rightToLeft: boolean): number[] {
  const order = words.map((_, at) => at);
  if (!words.some(({ text }) => hasRightToLeftLetters(text))) return order;
  if (rightToLeft) order.reverse();
  const isLeftToRightAt = (at: number | undefined): boolean => {
    const text = words[at ?? -1]?.text ?? '';
    return !rightToLeftScript.test(text) && leftToRight.test(text);
  };
  const isRightToLeftAt = (at: number | undefined): boolean =>
    rightToLeftScript.test(words[at ?? -1]?.text ?? '');
  const [isSameDirection, isOppositeDirection] = rightToLeft
    ? [isRightToLeftAt, isLeftToRightAt]
    : [isLeftToRightAt, isRightToLeftAt];
  for (let start = 0; start < order.length; start += 1) {
    if (!isOppositeDirection(order[start])) continue;
    let end = start;
    for (let at = start + 1; at < order.length && !isSameDirection(order[at]); at += 1) {
      if (isOppositeDirection(order[at])) end = at;
    }
    order.splice(start, end + 1 - start, ...order.slice(start, end + 1).reverse());
    start = end;
  }
  return order;
}
