/** A range of the text of a page. */
export interface Selected {
  page: number;
  start: number;
  end: number;
}

/** Returns the selection in a frame, if it is within one page; undefined without a selection. */
export function selectedIn(frame: HTMLElement): Selected | undefined {
  const selection = window.getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0);
  if (!frame.contains(range.commonAncestorContainer)) return undefined;
  const start = placeOf(frame, range.startContainer, range.startOffset, 'start');
  const end = placeOf(frame, range.endContainer, range.endOffset, 'end');
  if (!start || !end || start.page !== end.page || end.at <= start.at) return undefined;
  return { page: start.page, start: start.at, end: end.at };
}

/** The character at a boundary of the selection. */
function placeOf(frame: HTMLElement, node: Node, offset: number, side: 'start' | 'end') {
  const own = (node instanceof Element ? node : node.parentElement)?.closest('[data-start]');
  if (own && !(node instanceof Element)) return characterIn(own, offset);
  // Between elements: the next one that has text, or the end of the previous one.
  const all = [...frame.querySelectorAll('[data-start]')];
  const boundary = document.createRange();
  boundary.setStart(node, offset);
  const isAfter = (element: Element): boolean => boundary.comparePoint(element, 0) >= 0;
  const next = all.findIndex(isAfter);
  if (side === 'start') return next < 0 ? undefined : characterIn(all[next]!, 0);
  const before = next < 0 ? all.at(-1) : all[next - 1];
  return before && characterIn(before, before.textContent?.length ?? 0);
}

function characterIn(element: Element, offset: number) {
  const page = element.closest('[data-page]')?.getAttribute('data-page');
  const start = element.getAttribute('data-start');
  return page && start ? { page: Number(page), at: Number(start) + offset } : undefined;
}
