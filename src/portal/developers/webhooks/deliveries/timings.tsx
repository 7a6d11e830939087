const phases = [
  ['dns', 'name looked up'],
  ['connect', 'connected'],
  ['tls', 'TLS'],
  ['first_byte', 'waited for the answer'],
] as const;

/** Where the time of an exchange went, as a bar with its legend, in milliseconds. */
export function Timings({ of: timings }: { of: Record<string, number | null> }) {
  const total = timings.total ?? 0;
  const known = phases.flatMap(([name, words], at) => {
    const ms = timings[name];
    return ms === null || ms === undefined ? [] : [{ words, ms, at }];
  });
  // What is in no phase: the wait for a free connection, and the rest of the answer.
  const rest = Math.max(0, total - known.reduce((sum, { ms }) => sum + ms, 0));
  const parts = [...known, { words: 'the rest', ms: rest, at: 4 }].filter(({ ms }) => ms > 0);
  if (total === 0 || parts.length === 0) return null;
  return (
    <div class="stack">
      <div class="webhook-timings" aria-hidden="true">
        {parts.map(({ words, ms, at }) => (
          <span
            key={words}
            class={`webhook-phase-${at}`}
            style={{ width: `${(ms / total) * 100}%` }}
          />
        ))}
      </div>
      <ul class="webhook-legend">
        {parts.map(({ words, ms, at }) => (
          <li key={words}>
            <span class={`webhook-swatch webhook-phase-${at}`} /> {words} {ms.toFixed(1)} ms
          </li>
        ))}
      </ul>
    </div>
  );
}
