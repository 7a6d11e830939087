/** Wraps a function so that it runs at most once. The result is cached. */
export function once<T>(make: () => T): () => T {
  let cached: { value: T } | undefined;
  return () => {
    cached ??= { value: make() };
    return cached.value;
  };
}

/** Wraps a function so that it runs at most once for each key. The results are cached. */
export function oncePer<Key, Value extends object>(
  compute: (key: Key) => Value,
): (key: Key) => Value {
  const values = new Map<Key, Value>();
  return (key) => {
    const known = values.get(key) ?? compute(key);
    values.set(key, known);
    return known;
  };
}
