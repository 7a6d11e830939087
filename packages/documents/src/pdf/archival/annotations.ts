import { PDFDict, PDFName, type PDFPageLeaf } from 'pdf-lib';
import { annotationsOf, appearancesOf } from './parts.ts';
import { dictAt, has, itemsAt, nameAt, numberAt } from './values.ts';

const forbidden = new Set([
  ...['3D', 'Sound', 'Screen', 'Movie', 'FileAttachment', 'TrapNet', 'RichMedia', 'Projection'],
]);
/** Actions that PDF/A allows (6.5.1). */
const allowedActions = new Set(['GoTo', 'GoToR', 'GoToE', 'Thread', 'URI', 'Named', 'SubmitForm']);
const allowedNames = new Set(['NextPage', 'PrevPage', 'FirstPage', 'LastPage']);
/** Flags of annotations (ISO 32000-1, table 165). */
const flags = { invisible: 1, hidden: 2, print: 4, noView: 32, toggleNoView: 256 };
const unseen = flags.invisible | flags.hidden | flags.noView;

/** Whether PDF/A allows an action and all actions that follow it. */
export function isAllowedAction(action: PDFDict): boolean {
  const seen = new Set<PDFDict>();
  const waiting = [action];
  for (let one = waiting.pop(); one; one = waiting.pop()) {
    if (seen.has(one)) continue;
    seen.add(one);
    const kind = nameAt(one, 'S') ?? '';
    if (!allowedActions.has(kind)) return false;
    if (kind === 'Named' && !allowedNames.has(nameAt(one, 'N') ?? '')) return false;
    const next = one.lookup(PDFName.of('Next'));
    if (next instanceof PDFDict) waiting.push(next);
    for (const item of itemsAt(one, 'Next')) if (item instanceof PDFDict) waiting.push(item);
  }
  return true;
}

/** Whether PDF/A forbids an annotation, because its type is unknown or because it is hidden. */
export function isForbiddenAnnotation(annotation: PDFDict): boolean {
  const type = nameAt(annotation, 'Subtype') ?? '';
  const isHidden = type !== 'Popup' && ((numberAt(annotation, 'F') ?? 0) & unseen) !== 0;
  return type === '' || forbidden.has(type) || isHidden;
}

/** Returns flags with which an annotation is visible and printed. */
export function printed(value: number): number {
  return (value | flags.print) & ~(unseen | flags.toggleNoView);
}

/** Whether a page has an annotation that cannot be drawn without an appearance. */
export function lacksAppearance(leaf: PDFPageLeaf): boolean {
  return annotationsOf(leaf).some(
    (annotation) =>
      !['Link', 'Popup'].includes(nameAt(annotation, 'Subtype') ?? '') &&
      !isForbiddenAnnotation(annotation) &&
      appearancesOf(annotation).length === 0,
  );
}

/** Yields the faults of a page's annotations, by clause. */
export function* annotationFaults(leaf: PDFPageLeaf): Generator<string> {
  for (const annotation of annotationsOf(leaf)) {
    const type = nameAt(annotation, 'Subtype') ?? '';
    if (type === '' || forbidden.has(type)) yield '6.3.1: an annotation of a forbidden type';
    const value = numberAt(annotation, 'F') ?? 0;
    if (type !== 'Popup' && printed(value) !== value) {
      yield '6.3.2: an annotation that is hidden or not printed';
    }
    const looks = appearancesOf(annotation);
    if (type !== 'Popup' && type !== 'Link' && looks.length === 0) {
      yield '6.3.3: an annotation without an appearance';
    }
    const { length } = dictAt(annotation, 'AP')?.keys() ?? [];
    if (length > 1) yield '6.3.3: an annotation with several appearances';
    const action = dictAt(annotation, 'A');
    if (action && !isAllowedAction(action)) yield '6.5.1: a forbidden action';
    if (type === 'Widget' && action) yield '6.4.1: a field with an action';
    if (has(annotation, 'AA')) yield '6.5.2: an annotation with additional actions';
  }
}
