const list = (text: string): string[] => text.trim().split(/\s+/);

/** Relationship types of ECMA-376 and of Office since, by whether a Word document with one is complete. */
export const documentParts = {
  complete:
    list(`styles stylesWithEffects numbering settings webSettings fontTable font theme header
    footer footnotes endnotes comments commentsExtended commentsIds commentsExtensible people
    glossaryDocument customXml image hdphoto vbaProject wordVbaData keyMapCustomizations attachedToolbars
    printerSettings chart diagramData diagramLayout diagramQuickStyle diagramColors diagramDrawing
    recipientData mailMergeSource attachedTemplate documentTasks`),
  reported:
    list(`oleObject package control activeXControlBinary chartEx chartUserShapes video audio media
    ink frame model3d externalLink subDocument slide worksheet`),
};
/** The same for a workbook. */
export const workbookParts = {
  complete:
    list(`theme calcChain connections externalLink sheetMetadata metadata table tableSingleCells
    queryTable pivotTable pivotCacheDefinition pivotCacheRecords volatileDependencies xmlMaps
    revisionHeaders revisionLog usernames comments threadedComment person vmlDrawing customProperty slicer
    slicerCache timeline timelineCache rdRichValue rdRichValueStructure rdRichValueTypes richValueRel
    wsSortMap namedSheetView customXml image printerSettings vbaProject xlMacrosheet`),
  reported:
    list(`dialogsheet oleObject package control ctrlProp chartEx video audio media ink model3d
    aFChunk slide header`),
};
/** The same for a presentation. */
export const presentationParts = {
  complete: list(`slideMaster notesMaster handoutMaster presProps viewProps tableStyles theme
    commentAuthors authors tags customXml image printerSettings font vbaProject revisionInfo changesInfo
    legacyDocTextInfo vmlDrawing`),
  reported: list(
    `oleObject package control chartEx video audio media ink model3d aFChunk worksheet header`,
  ),
};
