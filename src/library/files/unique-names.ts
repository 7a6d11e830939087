/** Makes file names unique within one folder, ignoring case: `a (2).pdf`. */
export function createUniqueNamer(takenNames: readonly string[]): (filename: string) => string {
  const fold = (name: string): string => name.normalize('NFC').toLowerCase();
  const usedNames = new Set(takenNames.map(fold));
  const nextNumbers = new Map<string, number>();
  return (filename) => {
    const dot = filename.lastIndexOf('.');
    const [stem, extension] =
      dot > 0 ? [filename.slice(0, dot), filename.slice(dot)] : [filename, ''];
    let name = filename;
    let number = nextNumbers.get(fold(filename)) ?? 2;
    while (usedNames.has(fold(name))) name = `${stem} (${number++})${extension}`;
    nextNumbers.set(fold(filename), number);
    usedNames.add(fold(name));
    return name;
  };
}
