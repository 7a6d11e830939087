import { decodeWords, textAsDeclared } from './encoded-words.ts';

/** A mailbox of an address field (RFC 5322, 3.4). A missing name or address is empty. */
export interface Mailbox {
  name: string;
  address: string;
}

const encodedWord = /=\?[^?\s]{1,60}\?[bq]\?[^?\s]{0,2000}\?=/iy;

/**
 * Parses an address field. Names are decoded (RFC 2047). The name of a group becomes a mailbox
 * without an address. No text is lost: what is neither an address nor a comment is a name.
 */
export function parseMailboxes(field: string): Mailbox[] {
  const mailboxes: Mailbox[] = [];
  let [phrase, comment, angle] = ['', '', ''];
  let [quoted, inAngle, depth] = [false, false, 0];
  const end = (): void => {
    const isBare = angle === '' && /^\S+@\S+$/.test(phrase.trim());
    const name = decodeWords(isBare ? comment : `${phrase} ${comment}`, textAsDeclared);
    const address = isBare ? phrase.trim() : angle.trim();
    const mailbox = { name: name.replace(/\s+/g, ' ').trim(), address };
    if (mailbox.name !== '' || mailbox.address !== '') mailboxes.push(mailbox);
    [phrase, comment, angle] = ['', '', ''];
    [quoted, inAngle, depth] = [false, false, 0];
  };
  const add = (text: string): void => {
    if (depth > 0) comment += text;
    else if (inAngle) angle += text;
    else phrase += text;
  };
  for (let at = 0; at < field.length; at += 1) {
    const unit = field.charAt(at);
    encodedWord.lastIndex = at;
    const word = unit === '=' ? encodedWord.exec(field)?.[0] : undefined;
    if (word !== undefined) {
      add(word);
      at += word.length - 1;
    } else if (unit === '\\' && (quoted || depth > 0)) {
      at += 1;
      add(field.charAt(at));
    } else if (unit === '"' && depth === 0) {
      quoted = !quoted;
      // The quotes of a local part belong to the address.
      if (inAngle) angle += unit;
    } else if (quoted) add(unit);
    else if (unit === '(') {
      if (depth > 0) comment += unit;
      depth += 1;
    } else if (unit === ')' && depth > 0) {
      depth -= 1;
      comment += depth > 0 ? unit : ' ';
    } else if (depth > 0) comment += unit;
    else if (unit === '<') inAngle = true;
    else if (unit === '>') inAngle = false;
    else if (!inAngle && (unit === ',' || unit === ';' || unit === ':')) end();
    else add(unit);
  }
  end();
  return mailboxes;
}
