/** The labels of `classify`, and their meanings. */
export const documentLabels = {
  invoice: 'A request for payment for goods or services: invoices, bills, credit notes.',
  receipt: 'Proof of payment: till receipts, card slips, parking tickets.',
  contract: 'An agreement with its terms: contracts, leases, non-disclosure agreements, terms.',
  letter: 'A letter to a person or an organisation, with an address, a salutation and a closing.',
  form: 'Fields to fill in, empty or completed: applications, declarations, questionnaires.',
  identity_document: 'A passport, identity card, driving licence, residence permit or similar.',
  bank_statement: 'The transactions of an account or card, with balances.',
  cv: 'A curriculum vitae: a person’s work experience, education and skills.',
  report: 'Findings in sections: business, technical and medical reports, studies, papers.',
  email: 'One or more messages with sender, recipients and subject.',
  presentation: 'Slides: few words per page, headings and bullets.',
  other: 'None of the above, or too little evidence.',
} as const satisfies Record<string, string>;

export type DocumentLabel = keyof typeof documentLabels;
export const documentLabelNames = Object.keys(documentLabels) as DocumentLabel[];
