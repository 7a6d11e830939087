/** A setting of script/server, from the environment. */
export function requireSetting(name: string): string {
  const value = process.env[name];
  if (value) return value;
  throw new Error(`${name} is not set. Start script/server first; it writes .data/dev.env.`);
}
