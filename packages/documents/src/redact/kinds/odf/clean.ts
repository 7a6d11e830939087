import { attributeValue, transform, walk, type XmlElement, xmlnsUri } from '../../../files/xml.ts';
import { namespaceOf } from './namespaces.ts';

const nameSet = (names: string): ReadonlySet<string> => new Set(names.trim().split(/\s+/));

/**
 * The elements that are kept, by namespace. All elements of the other known namespaces are kept,
 * because they describe formats.
 */
const keptElements: Readonly<Record<string, ReadonlySet<string>>> = {
  office: nameSet(`document-content document-styles font-face-decls automatic-styles styles
    master-styles body text spreadsheet presentation chart`),
  text: nameSet(`p h span a s tab line-break soft-page-break list list-item list-header section
    numbered-paragraph note note-citation note-body page-number page-count sheet-name ruby ruby-base
    ruby-text bookmark bookmark-start bookmark-end list-style list-level-style-number
    list-level-style-bullet outline-style outline-level-style notes-configuration
    linenumbering-configuration linenumbering-separator`),
  table: nameSet(`table table-column table-columns table-header-columns table-column-group table-row
    table-rows table-header-rows table-row-group table-cell covered-table-cell shapes title desc`),
  drawing: nameSet(`page frame text-box image object g a custom-shape enhanced-geometry equation
    handle rect ellipse circle line polyline polygon regular-polygon path connector glue-point caption
    measure page-thumbnail gradient marker hatch fill-image stroke-dash opacity layer-set layer`),
  presentation: nameSet(`notes placeholder header footer date-time header-decl footer-decl
    date-time-decl`),
};

/**
 * Elements of text that are dropped with their content: tracked changes, declarations of fields, code,
 * and the templates of indexes. Other unknown elements of text are replaced with their content, so a
 * field becomes its last result.
 */
const droppedText =
  /^(?:tracked-changes|change|change-start|change-end|script|.*-decls|.*-source|.*-mark|.*-mark-(?:start|end)|.*-auto-mark-file|note-continuation-notice-.*|list-level-style-image)$/;
const droppedElements = nameSet(`handout-master font-face-src font-face-uri definition-src`);

/** Names that programs generate for the targets of links in a table of contents. */
const generatedBookmark = /^(?:__RefHeading__[\w]{0,40}|_Toc\d{1,12})$/;

/** Removes content that is never kept: unknown elements and attributes, and the forms of content above. */
export function cleanOdf(root: XmlElement): void {
  transform(root, (element) => {
    const namespace = namespaceOf(element.uri);
    const { local } = element;
    if (namespace === null || droppedElements.has(local)) return [];
    if (namespace === 'text' && droppedText.test(local)) return [];
    const kept = Object.hasOwn(keptElements, namespace) ? keptElements[namespace] : undefined;
    if (kept && !kept.has(local)) return namespace === 'text' ? element.children : [];
    if (local.startsWith('bookmark') && namespace === 'text') {
      return generatedBookmark.test(attributeValue(element, 'name') ?? '') ? [element] : [];
    }
    // A condition compares with text.
    if (local === 'map' && /["']/.test(attributeValue(element, 'condition') ?? '')) return [];
    return [element];
  });
  walk(root, cleanAttributes);
}

/** Attributes that identify elements for programs, protect content, or refer to dropped content. */
const droppedAttributes = nameSet(`id control start-shape end-shape start-glue-point end-glue-point
  protection-key protection-key-digest-algorithm protection-key-digest-algorithm-2 protected protect
  change-id content-validation-name print-ranges filter-name end-cell-address end-x end-y class-names
  nav-order cond-style-name notify-on-update-of-ranges key1 key2 use-soft-page-breaks`);

/** Shapes, whose names only programs and lists of shapes show. */
const shapes =
  nameSet(`frame text-box image object g a custom-shape rect ellipse circle line polyline
  polygon regular-polygon path connector caption measure`);

function cleanAttributes(element: XmlElement): void {
  const isShape = namespaceOf(element.uri) === 'drawing' && shapes.has(element.local);
  const isSection = namespaceOf(element.uri) === 'text' && element.local === 'section';
  element.attributes = element.attributes.filter((attribute) => {
    const { uri, local, name, value } = attribute;
    if (uri === xmlnsUri || name.startsWith('xmlns')) return namespaceOf(value) !== null;
    if (namespaceOf(uri) === null || droppedAttributes.has(local)) return false;
    if (isShape && local === 'name') return false;
    if (isSection && local === 'name') {
      // A section without a name would not be hidden.
      attribute.value = 'Section';
      attribute.machine = true;
    }
    return !(local === 'condition' && namespaceOf(uri) === 'text');
  });
}
