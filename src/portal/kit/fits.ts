import { useLayoutEffect, useState } from 'preact/hooks';

/** Whether an element is as large as what it holds. Otherwise it scrolls, and must be focusable. */
export function useFits(element: { current: HTMLElement | null }): boolean {
  const [fits, setFits] = useState(true);
  useLayoutEffect(() => {
    const frame = element.current;
    if (!frame) return;
    const look = (): void =>
      setFits(frame.scrollWidth <= frame.clientWidth && frame.scrollHeight <= frame.clientHeight);
    const observer = new ResizeObserver(look);
    observer.observe(frame);
    for (const child of frame.children) observer.observe(child);
    look();
    return () => observer.disconnect();
  }, []);
  return fits;
}
