import { allocate, type PdfDocument, rawFunction } from './pdfium.ts';

/** An element of the structure of a tagged PDF (PDF 32000-1 §14.7) that is on a page. */
export type PageElement = {
  /**
   * The standard type, after applying the role map of the document: `H1`, `P`, `LI`, `TD`,
   * `Figure`…
   */
  type: string;
  /** The alternative text of the element. */
  alt: string | null;
  parent: PageElement | null;
};

/**
 * The elements of a page, by the identifiers of their marked content. Empty if the PDF is not
 * tagged.
 */
export type PageStructure = ReadonlyMap<number, PageElement>;

/**
 * Maximum number and depth of the elements of a page, and maximum bytes of types and descriptions.
 */
const maxElements = 50_000;
const maxDepth = 60;
const maxTextBytes = 4096;

/** Reads the structure of a loaded page. */
export function readStructure({ pdfium }: PdfDocument, page: number): PageStructure {
  const raw = (name: string): ((...args: number[]) => number) => rawFunction(pdfium, name);
  const structure = new Map<number, PageElement>();
  const tree = raw('FPDF_StructTree_GetForPage')(page);
  if (tree === 0) return structure;
  const [countChildren, childAt, contentOf, typeOf, altOf, rootAt] = [
    raw('FPDF_StructElement_CountChildren'),
    raw('FPDF_StructElement_GetChildAtIndex'),
    raw('FPDF_StructElement_GetChildMarkedContentID'),
    raw('FPDF_StructElement_GetType'),
    raw('FPDF_StructElement_GetAltText'),
    raw('FPDF_StructTree_GetChildAtIndex'),
  ];
  const buffer = allocate(pdfium, maxTextBytes);
  const textOf = (bytes: number): string => {
    if (bytes <= 2 || bytes > maxTextBytes) return '';
    return Buffer.from(pdfium.heap().slice(buffer, buffer + bytes - 2)).toString('utf16le');
  };
  let elementCount = 0;
  const visit = (handle: number, parent: PageElement | null, depth: number): void => {
    if (handle === 0 || elementCount >= maxElements) return;
    elementCount += 1;
    const type = textOf(typeOf(handle, buffer, maxTextBytes));
    const alt = textOf(altOf(handle, buffer, maxTextBytes))
      .replace(/\s+/g, ' ')
      .trim();
    const element: PageElement = { type, alt: alt || null, parent };
    const children = Math.min(maxElements, countChildren(handle));
    for (let index = 0; index < children; index += 1) {
      const content = contentOf(handle, index);
      if (content >= 0) {
        if (!structure.has(content)) structure.set(content, element);
      } else if (depth < maxDepth) visit(childAt(handle, index), element, depth + 1);
    }
  };
  try {
    const roots = Math.min(maxElements, raw('FPDF_StructTree_CountChildren')(tree));
    for (let index = 0; index < roots; index += 1) visit(rootAt(tree, index), null, 0);
    return structure;
  } finally {
    pdfium.pdfium.wasmExports.free(buffer);
    raw('FPDF_StructTree_Close')(tree);
  }
}

/**
 * The types that are blocks. Other types, such as `Span` and `Link`, are parts or groups of blocks.
 */
const blockTypes =
  /^(?:H[1-6]?|Title|P|LI|Lbl|LBody|TD|TH|Caption|Code|BlockQuote|Note|FENote|TOCI|Formula|Figure)$/;

/** Returns the innermost block that contains an element; null if no block does. */
export function blockElement(element: PageElement | undefined): PageElement | null {
  let candidate = element ?? null;
  while (candidate && !blockTypes.test(candidate.type)) candidate = candidate.parent;
  return candidate;
}
