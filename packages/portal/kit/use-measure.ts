import { useLayoutEffect, useState } from 'preact/hooks';

/** Measures an element before the first frame, and whenever its size changes. */
export function useMeasure<T>(
  frame: { current: HTMLElement | null },
  atFirst: T,
  measure: (element: HTMLElement) => T,
): T {
  const [measured, setMeasured] = useState(atFirst);
  useLayoutEffect(() => {
    const element = frame.current!;
    const look = (): void => setMeasured(() => measure(element));
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return measured;
}

/** Whether an element is as large as its content. Otherwise it scrolls and must be focusable. */
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
