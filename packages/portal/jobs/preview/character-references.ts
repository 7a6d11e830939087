const pattern = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]*);/gi;

/** Decodes the character references of HTML, such as `&nbsp;` and `&#x27;`. Unknown ones are kept. */
export function decodeReferences(text: string): string {
  return text.replace(pattern, decodeReference);
}

function decodeReference(reference: string): string {
  // The letter keeps a reference to white space, which the parser would drop at the start.
  const { body } = new DOMParser().parseFromString(`x${reference}`, 'text/html');
  return body.textContent?.slice(1) ?? reference;
}
