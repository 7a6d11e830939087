import { nameSet } from '../../../files/unread/index.ts';

/** Headers and footers of left, right, first and all pages (RTF 1.9.1, "Headers and Footers"). */
export const headerOrFooter = /^(header|footer)[lrf]?$/;

/**
 * Groups without direct text that contain groups with text: shapes, drawings and embedded objects.
 */
export const frameGroups: ReadonlySet<string> = nameSet('shp shpgrp shpinst do object');

/** The visible content of these groups: the text of a box, or the representation of an object. */
export const frameContents: ReadonlySet<string> = nameSet('shptxt dptxbxtext result');

/** Destinations that are read although programs may ignore them. */
export const readIgnorable: ReadonlySet<string> = nameSet(
  'shppict pn pntext listtext footnote shpinst do shpgrp',
);

/**
 * Destinations without text of the document: tables of the file, properties, code, alternative
 * content for other programs (`nonshppict`, `shprslt`, `ud`), positions, and definitions of fields
 * and lists.
 */
export const textlessDestinations: ReadonlySet<string> = nameSet(`
  fonttbl fontemb fontfile fname falt panose filetbl file colortbl stylesheet keycode latentstyles
  lsdlockedexcept listtable list listlevel leveltext levelnumbers listname liststylename listpicture
  listoverridetable listoverride lfolevel rsidtbl revtbl pgptbl pgp pgdsctbl xmlnstbl themedata
  colorschememapping datastore defchp defpap generator info title author subject operator keywords
  doccomm comment company manager category hlinkbase creatim revtim printim buptim userprops
  propname staticval linkval template private passwordhash password protusertbl writereservation
  writereservhash wgrffmtfilter docvar xform windowcaption background picprop pict nonshppict
  shprslt sp sn sv svb blipuid hl hlloc hlsrc hlfr objalias objclass objname objsect objtime oleclsid
  bkmkstart bkmkend atrfstart atrfend atnid atndate atntime atnref atnparent atnicn atnauthor
  protstart protend ebcstart ebcend ftnsep ftnsepc ftncn aftnsep aftnsepc aftncn xe rxe pxe txe tc
  fldinst fldtype datafield formfield ffname ffdeftext ffentrymcr ffexitmcr ffformat ffhelptext
  ffstattext pntxta pntxtb pnseclvl mathPr mmathPr mmathPict ud nesttableprops
  nonesttables tblstyle oldcprops oldpprops oldtprops oldsprops factoidname xmlopen xmlclose xmlname
  xmlattrname xmlattrvalue htmltag mhtmltag fchars lchars nextfile gridtbl hsv bookmarktext
  mailmerge mmaddfieldname mmconnectstr mmconnectstrdata mmdatasource mmheadersource mmmailsubject
  mmodso mmodsofilter mmodsofldmpdata mmodsomappedname mmodsoname mmodsorecipdata mmodsosort
  mmodsosrc mmodsotable mmodsoudl mmodsoudldata mmodsouniquetag mmquery saveprevpict
  mvfmf mvfml mvtof mvtol expandedcolortbl abiimageproperties formatConverter txfielddef txfielddata`);
