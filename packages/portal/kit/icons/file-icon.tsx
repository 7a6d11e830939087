import { Icon } from './icon.tsx';
import type { IconName } from './icons.ts';

/** Parts of media types, in the order in which they are checked. */
const iconsByType: readonly (readonly [part: RegExp, icon: IconName])[] = [
  [/^image\//, 'file-image'],
  [/pdf/, 'file-pdf'],
  [/spreadsheet|excel|csv/, 'file-sheet'],
  [/presentation|powerpoint/, 'file-slides'],
  [/word|opendocument\.text|rtf/, 'file-word'],
  [/message|outlook/, 'file-mail'],
  [/html|xml|json|markdown|javascript/, 'file-code'],
  [/zip|tar|compressed/, 'file-archive'],
  [/^text\//, 'file-pdf'],
];

/** The icon of a kind of file, by its media type. */
export function FileIcon({ type, size }: { type: string | null; size?: number }) {
  const [, name = 'file'] = iconsByType.find(([part]) => type !== null && part.test(type)) ?? [];
  return <Icon name={name} {...(size ? { size } : {})} class="file-icon" />;
}
