import { PDFDict, PDFName, type PDFPageLeaf } from 'pdf-lib';
import { annotationsOf, appearancesOf } from './parts.ts';
import { dictAt, has, itemsAt, nameAt, numberAt } from './values.ts';

const forbiddenTypes = new Set([
  '3D',
  'Sound',
  'Screen',
  'Movie',
  'FileAttachment',
  'TrapNet',
  'RichMedia',
  'Projection',
]);
/** Actions that PDF/A allows (6.5.1). */
const allowedActions = new Set(['GoTo', 'GoToR', 'GoToE', 'Thread', 'URI', 'Named', 'SubmitForm']);
const allowedNames = new Set(['NextPage', 'PrevPage', 'FirstPage', 'LastPage']);
/** Flags of annotations (ISO 32000-1, table 165). */
const flags = { invisible: 1, hidden: 2, print: 4, noView: 32, toggleNoView: 256 };
const hidingFlags = flags.invisible | flags.hidden | flags.noView;

/** Whether PDF/A allows an action and all actions that follow it. */
export function isAllowedAction(action: PDFDict): boolean {
  const seen = new Set<PDFDict>();
  const pending = [action];
  for (let current = pending.pop(); current; current = pending.pop()) {
    if (seen.has(current)) continue;
    seen.add(current);
    const kind = nameAt(current, 'S') ?? '';
    if (!allowedActions.has(kind)) return false;
    if (kind === 'Named' && !allowedNames.has(nameAt(current, 'N') ?? '')) return false;
    const next = current.lookup(PDFName.of('Next'));
    if (next instanceof PDFDict) pending.push(next);
    for (const item of itemsAt(current, 'Next')) if (item instanceof PDFDict) pending.push(item);
  }
  return true;
}

/** Whether PDF/A forbids an annotation, because its type is unknown or because it is hidden. */
export function isForbiddenAnnotation(annotation: PDFDict): boolean {
  const type = nameAt(annotation, 'Subtype') ?? '';
  const isHidden = type !== 'Popup' && ((numberAt(annotation, 'F') ?? 0) & hidingFlags) !== 0;
  return type === '' || forbiddenTypes.has(type) || isHidden;
}

/** Returns the flags, changed so that the annotation is visible and printed. */
export function printableFlags(value: number): number {
  return (value | flags.print) & ~(hidingFlags | flags.toggleNoView);
}

/** Whether a page has an annotation without the appearance that is needed to draw it. */
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
    if (type === '' || forbiddenTypes.has(type)) yield '6.3.1: an annotation of a forbidden type';
    const value = numberAt(annotation, 'F') ?? 0;
    if (type !== 'Popup' && printableFlags(value) !== value) {
      yield '6.3.2: an annotation that is hidden or not printed';
    }
    const appearances = appearancesOf(annotation);
    if (type !== 'Popup' && type !== 'Link' && appearances.length === 0) {
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
