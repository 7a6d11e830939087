/**
 * Forms, records, signatures and lists: labels and values on lines. ⏎ is a line break. See fill.ts
 * for the slots.
 */
export const forms = `
Name: {P}⏎Address: {A}
Name: {P}⏎Date of birth: {date}⏎Nationality: {N}⏎Place of birth: {C}
Full name: {P}⏎Employer: {O}⏎Occupation: {J}
Surname: {L}⏎Given names: {F}⏎Sex: F⏎Nationality: {N}
First name: {F}⏎Last name: {L}⏎E-mail: {email}⏎Phone: {phone}
first name {F} last name {L} city {C} country {K}
Last Name, First Name: {I}
Applicant: {TP}⏎Home address: {A}⏎Telephone: {phone}
Patient: {P}⏎DOB: {date}⏎MRN: {id}⏎Attending: {T} {L}
Patient name: {P}⏎Ward: {n}B⏎Consultant: {T} {FL}⏎Diagnosis: acute {noun}
Insured: {P}⏎Policy no. {id}⏎Insurer: {O}
Bill to:⏎{P}⏎{A}
Ship to:⏎{P}⏎{ST}⏎{Z} {C}⏎{K}
Deliver to: {P}, {A}
Sender: {O}⏎{A}⏎Receiver: {P}⏎{A}
From: {P}⏎To: {P}⏎Subject: {Head}
From: {P} <{email}>⏎To: {FL} <{email}>⏎Cc: {FL}⏎Date: {date} {time}⏎Subject: Re: {Head}
Attn: {TP}⏎{O}⏎{A}
c/o {P}⏎{A}
{P}⏎{JC}⏎{O}⏎{A}
{P}⏎{JC}⏎{O}⏎T: {phone}⏎E: {email}⏎{url}
{P}, {JC}⏎{O}⏎{ST}, {C}
{P} | {JC} | {O} | {phone}
{P}⏎{A}
{P}⏎{O}⏎{A}
{P}⏎{ST}⏎{C} {Z}
{P}⏎{ST}⏎{Z}⏎{C}
{O}⏎{A}⏎{phone}⏎{url}
{O}⏎{ST}⏎{U}⏎{C} {Z}⏎{K}
{A}
{A}⏎{phone}
{A}⏎{url}⏎{phone}
{ST}
{B}
{P}⏎{B}
Best regards,⏎{P}
Kind regards⏎⏎{P}⏎{JC}, {O}
Sincerely,⏎⏎{TP}⏎{JC}
Yours faithfully,⏎{P}⏎for {O}
Thanks,⏎{F}
Cheers, {F}
- {F}
-- ⏎{FL}⏎{JC} at {O}⏎{A}
Signed: {P}⏎Date: {date}
Signature ____________⏎{P}
Witness: {P}, {J}, of {A}
Landlord: {P}⏎Tenant: {P}⏎Premises: {A}
Buyer: {O}⏎Seller: {O}⏎Contract no.: {id}
Beneficiary: {P}⏎IBAN: {iban}⏎Bank: {O}⏎Amount: {amt}
Account holder: {P}⏎Account no. {id}⏎Branch: {C}
Cardholder: {P}⏎Card number: {card}⏎Expires: 09/27
Street: {ST}⏎City: {C}⏎Zip: {Z}⏎Country: {K}
Street address: {ST}⏎Apartment: {U}⏎City: {C}⏎State: {S}⏎Postal code: {Z}
City/Town: {C}⏎Region: {S}⏎Postcode: {Z}
House number: {HN}⏎Street: {ST}⏎Town: {C}
Mailing address: {B}
Postal address: {B}, {C}
Permanent address: {A}⏎Temporary address: {A}
Country of residence: {K}⏎Citizenship: {N}
Place of work: {O}, {C}⏎Position: {J}
Company: {O}⏎Contact: {TP}⏎Phone: {phone}
Company name: {O}⏎Registered office: {A}⏎VAT no.: {id}
Vendor: {O}⏎Invoice no.: {id}⏎Invoice date: {date}⏎Total: {amt}
Emergency contact: {P} ({phone})
Next of kin: {P}, {A}
Spouse: {P}⏎Children: {F}, {F} and {F}
Mother's maiden name: {L}
Religion: {G}⏎Nationality: {N}
Ethnicity: {N}⏎Political affiliation: {G}
Party: {G}
Driver: {P}⏎Licence no.: {id}⏎Address: {A}
Passport no.: {id}⏎Name: {L} {F}⏎Nationality: {N}
School: {O}⏎Class teacher: {T} {L}⏎Student: {P}
Referee 1: {TP}, {JC}, {O}, {phone}
Attendees: {P}, {P}, {P}⏎Apologies: {P}
Present: {P} ({O}), {P} ({O})
Author(s): {P}, {P} and {P}⏎Affiliation: {O}, {C}, {K}
Editor: {P}⏎Publisher: {O}, {C}
Directed by: {P}⏎Written by: {P}, {P}⏎Genre: Drama, Comedy, Thriller
Starring {P}, {P} and {P}
Cast: {P} as {F}; {P} as {F}
Artist: {P}⏎Title: {song}⏎Label: {O}
Guest name: {P}⏎Room: {n}⏎Arrival: {date}⏎Departure: {date}⏎From: {C}, {K}
Passenger: {L}/{F} {T}⏎Flight: LH{n}⏎From: {C}⏎To: {C}
Case no. {id}⏎Plaintiff: {P}⏎Defendant: {O}⏎Judge: {P}
{P} v. {O}
{P} vs. {P}
In the matter of {P}, deceased, late of {A}
1. {P}⏎2. {P}⏎3. {P}
* {P} - {O}⏎* {P} - {O}⏎* {P} - {O}
{P}	{O}	{C}	{amt}
{P}, {O}, {C}, {K}
{P};{ST};{Z};{C};{K};{phone}
{id},{F},{L},{email},{C},{S},{Z}
{P} ({age})
{P}, {C}
{C}, {date}
{C}, {K}
{K}
{O}
{P}
{N}
City: {C}
Location: {C}, {S}
Organisation: {O}
Department: {dept}⏎Manager: {P}⏎Cost centre: {id}
Invoice {id}⏎{O}⏎{A}⏎⏎Bill to: {O}⏎{A}⏎⏎Item: {prod}⏎Total: {amt}
Delivery note {id}⏎Consignee: {P}⏎{A}⏎Carrier: {O}
Tracking number: {id}⏎Recipient: {P}⏎Destination: {C}, {K}⏎Status: In transit
Return address: {A}
Pick-up: {A}⏎Drop-off: {A}
Venue: {O}, {A}⏎Date: {date}⏎Time: {time}
Office locations: {C}, {C}, {C}
Headquarters: {C}, {K}⏎Founded: 1987⏎CEO: {P}
Prescribed by {T} {P}⏎{prod}⏎Take {n} tablets daily
Referring physician: {P}, MD⏎Clinic: {O}
Lab report⏎Patient: {P}⏎Ordered by: {T} {L}⏎Hospital: {O}, {C}
Dear {T} {L},
Dear {F},
Dear {P},
Dear Sir or Madam,
To whom it may concern,
Hi {F},
Hello {F}!
Hey {F},⏎⏎{sent}
{F} wrote:⏎> {sent}
On {date}, {P} wrote:
[{time}] {F}: {sent}
{F}: {sent}
{time} {F} {L}: {sent}
Q: {sent}⏎A: {sent}
cc: {P}, {J}
Prepared by: {P}, {O}
Approved by: {P}⏎Reviewed by: {P}⏎Version: 2.{n}
Contact person: {P}, tel. {phone}
Trainer: {P}⏎Participants: {n}⏎Topic: {Head}
Owner: {P}⏎Pet: {F}⏎Vet: {T} {L}, {O}
Godparents: {P} and {P}
Born: {date} in {C}, {K}⏎Died: {date} in {C}
Birthplace: {C}
Nationality: {N}⏎Occupation: {J}⏎Employer: {O}
Title: {T}⏎First name: {F}⏎Surname: {L}
Salutation: {T}⏎Name: {P}
Job title: {J}⏎Salary: {amt}
Position applied for: {J}⏎Candidate: {P}
Nom: {L}⏎Prénom: {F}⏎Adresse: {A}
Name: {L}⏎Vorname: {F}⏎Anschrift: {A}⏎Staatsangehörigkeit: {N}
Nombre: {F}⏎Apellidos: {L}⏎Dirección: {A}
Nome e cognome: {P}⏎Residente in: {A}
Naam: {P}⏎Adres: {A}⏎Woonplaats: {C}
Navn: {P}⏎Adresse: {A}⏎Telefon: {phone}
Namn: {P}⏎Adress: {A}
Nimi: {P}⏎Osoite: {A}
Imię i nazwisko: {P}⏎Adres: {A}
Jméno: {P}⏎Adresa: {A}
Név: {P}⏎Cím: {A}
Sehr geehrter Herr {L}, wir bestätigen den Eingang Ihrer Rechnung vom {date}.
Sehr geehrte Frau {L},
Monsieur {L}, nous accusons réception de votre courrier du {date}.
Mit freundlichen Grüßen⏎{P}⏎{O}
Cordialement,⏎{P}
Un saludo,⏎{P}⏎{O}
Met vriendelijke groet,⏎{P}
Cordiali saluti⏎{P}
Med vänlig hälsning⏎{P}⏎{O}
`;
