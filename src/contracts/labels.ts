/**
 * What a document can be classified as: the names that results, objects and policies use, and what
 * each means.
 */
export const documentLabels = {
  invoice: 'A demand for payment of goods or services: invoices, bills, credit notes.',
  receipt: 'Proof that something was paid: till receipts, card slips, tickets of a car park.',
  contract: 'An agreement with its terms: contracts, leases, non-disclosure agreements, terms.',
  letter: 'A letter to a person or a body, with an address, a salutation and a close.',
  form: 'Fields to be filled in, empty or filled: applications, declarations, questionnaires.',
  identity_document: 'A passport, identity card, driving licence, residence permit or the like.',
  bank_statement: 'The movements on an account or a card, with its balances.',
  cv: 'A curriculum vitae: one person’s work, education and skills.',
  report: 'Findings told in sections: business, technical and medical reports, studies, papers.',
  email: 'A message, or several, with who sent it to whom about what.',
  presentation: 'Slides: few words on a page, headings and bullets.',
  other: 'None of these, or nothing to tell by.',
} as const satisfies Record<string, string>;

export type DocumentLabel = keyof typeof documentLabels;
export const documentLabelNames = Object.keys(documentLabels) as DocumentLabel[];
