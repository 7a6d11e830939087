/** Makes file names unique within one folder, ignoring case: `a (2).pdf`. */
export function uniqueNames(taken: readonly string[]): (filename: string) => string {
  const fold = (name: string): string => name.normalize('NFC').toLowerCase();
  const used = new Set(taken.map(fold));
  const next = new Map<string, number>();
  return (filename) => {
    const dot = filename.lastIndexOf('.');
    const [stem, extension] =
      dot > 0 ? [filename.slice(0, dot), filename.slice(dot)] : [filename, ''];
    let name = filename;
    let number = next.get(fold(filename)) ?? 2;
    while (used.has(fold(name))) name = `${stem} (${number++})${extension}`;
    next.set(fold(filename), number);
    used.add(fold(name));
    return name;
  };
}
