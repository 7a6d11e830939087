import type { PartRule } from '../package/copy-parts.ts';

const slideContentType = (name: string): string =>
  `application/vnd.openxmlformats-officedocument.presentationml.${name}+xml`;
const drawingContentType = (name: string): string =>
  `application/vnd.openxmlformats-officedocument.drawingml.${name}+xml`;

/**
 * The parts of a presentation that are kept. Comments, authors, handouts, tags, embedded files,
 * macros, revision records and properties are dropped. Programs draw diagrams again from their data.
 */
export const pptxParts: Readonly<Record<string, PartRule>> = {
  officeDocument: {
    name: 'ppt/presentation.xml',
    contentType: slideContentType('presentation.main'),
    root: 'presentation',
  },
  slideMaster: {
    name: 'ppt/slideMasters/slideMaster#.xml',
    contentType: slideContentType('slideMaster'),
    root: 'sldMaster',
  },
  slideLayout: {
    name: 'ppt/slideLayouts/slideLayout#.xml',
    contentType: slideContentType('slideLayout'),
    root: 'sldLayout',
  },
  slide: { name: 'ppt/slides/slide#.xml', contentType: slideContentType('slide'), root: 'sld' },
  notesMaster: {
    name: 'ppt/notesMasters/notesMaster#.xml',
    contentType: slideContentType('notesMaster'),
    root: 'notesMaster',
  },
  notesSlide: {
    name: 'ppt/notesSlides/notesSlide#.xml',
    contentType: slideContentType('notesSlide'),
    root: 'notes',
  },
  tableStyles: {
    name: 'ppt/tableStyles.xml',
    contentType: slideContentType('tableStyles'),
    root: 'tblStyleLst',
  },
  theme: {
    name: 'ppt/theme/theme#.xml',
    contentType: 'application/vnd.openxmlformats-officedocument.theme+xml',
    root: 'theme',
  },
  chart: {
    name: 'ppt/charts/chart#.xml',
    contentType: drawingContentType('chart'),
    root: 'chartSpace',
  },
  diagramData: {
    name: 'ppt/diagrams/data#.xml',
    contentType: drawingContentType('diagramData'),
    root: 'dataModel',
  },
  diagramLayout: {
    name: 'ppt/diagrams/layout#.xml',
    contentType: drawingContentType('diagramLayout'),
    root: 'layoutDef',
  },
  diagramQuickStyle: {
    name: 'ppt/diagrams/quickStyle#.xml',
    contentType: drawingContentType('diagramStyle'),
    root: 'styleDef',
  },
  diagramColors: {
    name: 'ppt/diagrams/colors#.xml',
    contentType: drawingContentType('diagramColors'),
    root: 'colorsDef',
  },
};

/**
 * Content types of main parts that can be read: presentations, slide shows and templates, with or
 * without macros.
 */
export const pptxMainTypes = [
  ...['presentation', 'slideshow', 'template'].map((name) => slideContentType(`${name}.main`)),
  ...['presentation', 'slideshow', 'template'].map(
    (name) => `application/vnd.ms-powerpoint.${name}.macroenabled.main+xml`,
  ),
];

/** The children of the main part that are kept. */
export const keptChildren = new Set(
  `sldMasterIdLst notesMasterIdLst sldIdLst sldSz notesSz defaultTextStyle`.split(' '),
);
