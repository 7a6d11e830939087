/** Whether a title is among those given, in which `…` stands for what varies. */
export function isNamed(title: string, titles: readonly string[]): boolean {
  return titles.some((pattern) => {
    const parts = pattern.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return new RegExp(`^${parts.join('.*')}$`, 's').test(title);
  });
}
