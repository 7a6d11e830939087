/**
 * Attribute values of the standard (ECMA-376 part 1) that are also words or names. As the whole
 * text of an attribute, they never match a value. Otherwise, a person named Black would remove the
 * colour from every table.
 */
export const enumerations: ReadonlySet<string> = new Set(
  `atLeast auto before after bestFit bot both bullet caption center centerGroup centerContinuous
   character circle clean clear compatibilityMode contentLocked continuationSeparator continuous
   nextPage evenPage oddPage nextColumn ctr decimal decorative default double doubleAccounting dxa
   eastAsia edit even odd exact first firstCol firstRow fixed flat followedHyperlink footer header
   hybridMultilevel hyperlink landscape portrait lastCol lastRow left right start end distribute
   distributed justify general lowerLetter upperLetter lowerRoman upperRoman ordinal majorBidi
   majorEastAsia majorHAnsi minor major minorBidi minorEastAsia minorHAnsi miter round bevel modern
   roman script swiss decorative multilevel neCell nwCell seCell swCell nil none nothing num numbering
   page paragraph pct phClr preserve rect separator single singleLevel sng solid standardContextual
   strict table tab top bottom middle variable window windowText dash dashed dashDot dotted dotDash
   dotDotDash thick thin medium mediumDashed hair wave triple words hanging line column area bar pie
   span continue restart superscript subscript baseline bar heavy shade tint square tight through
   topAndBottom none inside outside margin text character insideMargin outsideMargin leftMargin
   rightMargin topMargin bottomMargin nonBreaking newspaper behind front auto automatic manual
   black blue cyan green magenta red yellow white darkBlue darkCyan darkGreen darkMagenta darkRed
   darkYellow darkGray lightGray gray gray125 gray0625 silver maroon olive navy purple teal brown
   orange pink gold violet accent1 accent2 accent3 accent4 accent5 accent6 dark1 dark2 light1 light2
   background1 background2 text1 text2 bg1 bg2 tx1 tx2 dk1 dk2 lt1 lt2 folHlink hlink lin path
   frozen split pane topLeft topRight bottomLeft bottomRight visible hidden veryHidden
   pageBreakPreview pageLayout normal cellIs expression colorScale dataBar iconSet duplicateValues
   containsText beginsWith endsWith between notBetween equal notEqual greaterThan lessThan list whole
   date time textLength custom stop warning information min max percent percentile formula oneCell
   twoCell absolute shared array marker smooth standard clustered stacked percentStacked nextTo low
   high cross out in horz vert wrap shape ellipse roundRect straightConnector1 line prstGeom black`
    .trim()
    .split(/\s+/),
);
