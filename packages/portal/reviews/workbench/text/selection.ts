/** A range of the text of a page. */
export interface TextRange {
  page: number;
  start: number;
  end: number;
}

/** Returns the selection in a frame; undefined without one, or if it spans several pages. */
export function selectedRangeIn(frame: HTMLElement): TextRange | undefined {
  const selection = window.getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0);
  if (!frame.contains(range.commonAncestorContainer)) return undefined;
  const start = positionOf(frame, range.startContainer, range.startOffset, 'start');
  const end = positionOf(frame, range.endContainer, range.endOffset, 'end');
  if (!start || !end || start.page !== end.page || end.at <= start.at) return undefined;
  return { page: start.page, start: start.at, end: end.at };
}

/** Returns the position of a boundary of the selection. */
function positionOf(frame: HTMLElement, node: Node, offset: number, side: 'start' | 'end') {
  const container = (node instanceof Element ? node : node.parentElement)?.closest('[data-start]');
  if (container && !(node instanceof Element)) return positionIn(container, offset);
  // Between elements, a start is the next one that has text, and an end is the end of the previous.
  const textElements = [...frame.querySelectorAll('[data-start]')];
  const boundary = document.createRange();
  boundary.setStart(node, offset);
  const isAfter = (element: Element): boolean => boundary.comparePoint(element, 0) >= 0;
  const next = textElements.findIndex(isAfter);
  if (side === 'start') return next < 0 ? undefined : positionIn(textElements[next]!, 0);
  const previous = next < 0 ? textElements.at(-1) : textElements[next - 1];
  return previous && positionIn(previous, previous.textContent?.length ?? 0);
}

function positionIn(element: Element, offset: number) {
  const page = element.closest('[data-page]')?.getAttribute('data-page');
  const start = element.getAttribute('data-start');
  return page && start ? { page: Number(page), at: Number(start) + offset } : undefined;
}
