const phases = [
  ['dns', 'DNS lookup'],
  ['connect', 'Connect'],
  ['tls', 'TLS'],
  ['first_byte', 'Wait for response'],
] as const;

/** The timings of a request in milliseconds, as a bar with a legend. */
export function Timings({ of: timings }: { of: Record<string, number | null> }) {
  const total = timings.total ?? 0;
  const known = phases.flatMap(([name, words], at) => {
    const ms = timings[name];
    return ms === null || ms === undefined ? [] : [{ words, ms, at }];
  });
  // Outside the phases: waiting for a free connection, and reading the response.
  const rest = Math.max(0, total - known.reduce((sum, { ms }) => sum + ms, 0));
  const parts = [...known, { words: 'Other', ms: rest, at: 4 }].filter(({ ms }) => ms > 0);
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
