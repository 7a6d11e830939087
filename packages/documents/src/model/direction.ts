/** Letters of right-to-left scripts; neither digits nor the signs within numbers (٪ ٫ ٬). */
export const turnedScript =
  /(?![\p{N}\u066a-\u066c])[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const leftToRight = /\p{L}/u;
/** No letter below this range is of such a script, which is faster to check than its script. */
const beyondCyrillic = /[\u0590-\uffff]/;

type Readable = readonly { text: string }[];

/** Whether a text has letters of right-to-left scripts. */
export const hasTurned = (text: string): boolean =>
  beyondCyrillic.test(text) && turnedScript.test(text);

/** Whether a line runs from right to left: most of its letters are of such a script. */
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
 * Whether a line runs from right to left, among text that mostly does (`fromRight`) or does not.
 */
export const runsFromRight = (words: Readable, fromRight: boolean): boolean =>
  isTurned(words) || (fromRight && words.some(({ text }) => hasTurned(text)));

/**
 * Returns the reading order of a line's words, as indexes into `words`, which are sorted from left
 * to right. `turned`: the line runs from right to left. Words of the other direction keep their own
 * order, with what is between them (UAX #9, as far as the page allows).
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
