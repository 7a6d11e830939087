/** Letters of right-to-left scripts, without digits and the signs in numbers (٪ ٫ ٬). */
export const turnedScript =
  /(?![\p{N}\u066a-\u066c])[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const leftToRight = /\p{L}/u;
/**
 * Letters of right-to-left scripts are in this range. Checking the range is faster than checking
 * the script.
 */
const beyondCyrillic = /[\u0590-\uffff]/;

type Readable = readonly { text: string }[];

/** Whether a text has letters of right-to-left scripts. */
export const hasTurned = (text: string): boolean =>
  beyondCyrillic.test(text) && turnedScript.test(text);

/** Whether a line runs from right to left: most of its letters are of a right-to-left script. */
export function isTurned(words: Readable): boolean {
  if (!words.some(({ text }) => beyondCyrillic.test(text))) return false;
  let [turned, others] = [0, 0];
  for (const { text } of words) {
    if (turnedScript.test(text)) turned += text.length;
    else if (leftToRight.test(text)) others += text.length;
  }
  return turned > others;
}

/**
 * Whether a line runs from right to left. `fromRight`: whether most of the surrounding text does.
 */
export const runsFromRight = (words: Readable, fromRight: boolean): boolean =>
  isTurned(words) || (fromRight && words.some(({ text }) => hasTurned(text)));

/**
 * Returns the reading order of a line's words, as indexes of `words`, which are sorted from left to
 * right. `turned`: the line runs from right to left. Words of the opposite direction keep their
 * order, including the text between them (UAX #9, as far as the page permits).
 */
export function readingOrder(words: Readable, turned: boolean): number[] {
  const order = words.map((_, at) => at);
  if (!words.some(({ text }) => hasTurned(text))) return order;
  if (turned) order.reverse();
  const runsRight = (at: number | undefined): boolean => {
    const text = words[at ?? -1]?.text ?? '';
    return !turnedScript.test(text) && leftToRight.test(text);
  };
  const runsLeft = (at: number | undefined): boolean =>
    turnedScript.test(words[at ?? -1]?.text ?? '');
  const [isOwn, isOther] = turned ? [runsLeft, runsRight] : [runsRight, runsLeft];
  for (let start = 0; start < order.length; start += 1) {
    if (!isOther(order[start])) continue;
    let end = start;
    for (let at = start + 1; at < order.length && !isOwn(order[at]); at += 1) {
      if (isOther(order[at])) end = at;
    }
    order.splice(start, end + 1 - start, ...order.slice(start, end + 1).reverse());
    start = end;
  }
  return order;
}
