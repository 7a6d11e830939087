import { useLayoutEffect, useState } from 'preact/hooks';

/** What is measured of an element: before the first frame, and whenever its size changes. */
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
