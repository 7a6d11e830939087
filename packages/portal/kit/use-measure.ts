import { useLayoutEffect, useState } from 'preact/hooks';

/** Measures an element before the first frame, and whenever its size changes. */
export function useMeasure<T>(
  frame: { current: HTMLElement | null },
  initialValue: T,
  measure: (element: HTMLElement) => T,
): T {
  const [value, setValue] = useState(initialValue);
  useLayoutEffect(() => {
    const element = frame.current!;
    const update = (): void => setValue(() => measure(element));
    update();
    const observer = new ResizeObserver(update);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return value;
}

/** Whether an element is as large as its content. Otherwise it scrolls and must be focusable. */
export function useFits(element: { current: HTMLElement | null }): boolean {
  const [fits, setFits] = useState(true);
  useLayoutEffect(() => {
    const frame = element.current;
    if (!frame) return;
    const update = (): void =>
      setFits(frame.scrollWidth <= frame.clientWidth && frame.scrollHeight <= frame.clientHeight);
    const observer = new ResizeObserver(update);
    observer.observe(frame);
    for (const child of frame.children) observer.observe(child);
    update();
    return () => observer.disconnect();
  }, []);
  return fits;
}
