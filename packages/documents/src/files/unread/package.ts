import type { Package } from '../opc.ts';
import { createUnreadKinds, nameSet, type PartKinds } from './index.ts';

/**
 * Parts without visible text in any Office file, by the last segment of their relationship type:
 * properties, formatting, caches of content that is visible elsewhere, code, and private data of
 * programs. A picture is a separate block. `chart/package` is the type `package` among the
 * relationships of a chart.
 */
const commonHarmless = `
  core-properties extended-properties extendedProperties custom-properties customProperties thumbnail origin signature certificate
  classificationlabels extensibility customUI userCustomization webextensiontaskpanes taskpanes
  webextension hyperlink image hdphoto svg theme themeOverride printerSettings
  customXml customXmlProps tags vbaProject jsaProject vbaProjectSignature vbaProjectSignatureAgile
  vbaProjectSignatureV3 diagramLayout diagramQuickStyle diagramStyle diagramColors diagramDrawing
  chartStyle chartColorStyle chart/package chart/oleObject chart/externalLinkPath font fontTable`;

/** The kinds of parts of a Word document that are read, and those without visible text. */
export const docxKinds: PartKinds = {
  read: nameSet(`officeDocument styles numbering header footer footnotes endnotes comments chart
    aFChunk diagramData`),
  harmless:
    nameSet(`${commonHarmless} stylesWithEffects settings webSettings commentsExtended commentsIds
    commentsExtensible people glossaryDocument attachedTemplate mailMergeSource
    mailMergeHeaderSource recipientData wordVbaData keyMapCustomizations attachedToolbars
    documentTasks documenttasks transform`),
};

/** The same for a workbook. Tables, pivot tables and queries show their values in cells. */
export const xlsxKinds: PartKinds = {
  read: nameSet(`officeDocument worksheet chartsheet sharedStrings styles drawing chart diagramData
    comments threadedComment person`),
  harmless:
    nameSet(`${commonHarmless} calcChain connections externalLink sheetMetadata metadata table
    tableSingleCells queryTable pivotTable pivotCacheDefinition pivotCacheRecords
    volatileDependencies xmlMaps revisionHeaders revisionLog usernames vmlDrawing customProperty
    slicer slicerCache timeline timelineCache rdRichValue rdRichValueStructure rdRichValueTypes
    rdRichValueWebImage richValueRel rdArray rdSupportingPropertyBag
    rdSupportingPropertyBagStructure richStyles wsSortMap namedSheetView namedSheetViews
    FeaturePropertyBag featurePropertyBag xlMacrosheet xlIntlMacrosheet cellImage`),
};

/** The same for a presentation. */
export const pptxKinds: PartKinds = {
  read: nameSet(`officeDocument slide slideLayout slideMaster notesSlide comments commentAuthors
    authors chart diagramData`),
  harmless:
    nameSet(`${commonHarmless} presProps viewProps tableStyles notesMaster handoutMaster vmlDrawing
    revisionInfo changesInfo changesInfos slideUpdateInfo slideUpdateUrl legacyDocTextInfo
    legacyDiagramText smartTags htmlPubSaveAs tasks`),
};

/** Kinds of parts that may be in a separate file, which cannot be read. */
const externalKinds = nameSet('aFChunk subDocument');

/**
 * Returns the kinds of the parts that an Office file refers to, directly or indirectly, and that
 * are neither read nor harmless.
 */
export function unreadParts(source: Package, { read, harmless }: PartKinds): string[] {
  const unread = createUnreadKinds();
  const seen = new Set(['']);
  const pending: { part: string; kind: string }[] = [{ part: '', kind: '' }];
  for (let from = pending.pop(); from; from = pending.pop()) {
    for (const { kind, target, external } of source.relationshipsOf(from.part)) {
      if (external) {
        if (externalKinds.has(kind)) unread.add(kind);
        continue;
      }
      if (!source.parts.has(target) || harmless.has(`${from.kind}/${kind}`)) continue;
      if (read.has(kind)) {
        if (!seen.has(target)) pending.push({ part: target, kind });
        seen.add(target);
      } else if (!harmless.has(kind)) unread.add(kind);
    }
  }
  return unread.kinds();
}
