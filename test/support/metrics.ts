/** Reads a process's metrics; the function that it returns throws if a gauge is missing. */
export async function readGauges(port: number): Promise<(name: string) => number> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`, {
    signal: AbortSignal.timeout(30_000),
  });
  const text = await response.text();
  return (name) => {
    const value = new RegExp(`^${name} (?<value>\\S+)$`, 'm').exec(text)?.groups?.value;
    if (value === undefined) throw new Error(`The metric ${name} is missing.`);
    return Number(value);
  };
}
