/**
 * People and addresses in letters, lists, tables and forms, in several languages, together with
 * impersonal text. See fill.ts for the slots.
 */
export const everyday = `
Dear {T} {L},⏎{sent}⏎{sent}
Dear {F},⏎⏎{sent} {sent}⏎⏎Best wishes,⏎{F}
Dear {F} and {F},⏎{sent}
Dear {T} and {T} {L},
My dear {F},
Good morning {F},⏎{sent}
Good afternoon {T} {L},
Hi {F} and {F}, {sentc}
Hello {T} {L}, {sentc}
Liebe {F},⏎{fs}
Lieber {F}, liebe {F},
Lieber Herr {L},⏎{fs}
Hallo {F},⏎{fs}
Guten Tag Herr {L},⏎{fs}
Guten Tag Frau {T} {L},
Sehr geehrter Herr {T} {L},⏎{fs}
Sehr geehrte Frau {L}, sehr geehrter Herr {L},
Sehr geehrte Familie {L},
Chère Madame {L},⏎{fs}
Cher Monsieur {L},
Chère {F}, cher {F},⏎{fs}
Bonjour {F},⏎{fs}
Bonjour Madame {L},
Madame {L},⏎{fs}
Madame, Monsieur,⏎{fs}
Estimado Sr. {L}:⏎{fs}
Estimada Sra. {L}:⏎{fs}
Estimada Dña. {P}:
Querida {F}:⏎{fs}
Hola {F}, {fs}
Gentile Sig. {L},⏎{fs}
Gentile Signora {L},⏎{fs}
Egregio Dott. {L},⏎{fs}
Caro {F},⏎{fs}
Cara {F},
Ciao {F},⏎{fs}
Geachte heer {L},⏎{fs}
Geachte mevrouw {L},⏎{fs}
Beste {F},⏎{fs}
Lieve {F},
Exmo. Senhor {L},⏎{fs}
Caro Senhor {L},
Szanowny Panie {L},
Szanowna Pani {F} {L},
Hej {F}!⏎{fs}
Kære {F},⏎{fs}
Kjære {F},
Kedves {F}!
Best regards⏎⏎{P}⏎{JC}⏎⏎{O}⏎{ST}⏎{Z} {C}⏎Tel. {phone}⏎{url}
Yours truly,⏎⏎⏎{FL}
Regards⏎{F}
Warm regards,⏎{FL}⏎{dept}
Many thanks⏎{FL}⏎⏎{O} | {A} | {phone}
All the best,⏎⏎{F} {L}
Love,⏎{F}
Sent by {FL}
p.p. {FL}
pp {P}⏎{dept}
(signed) {P}
/s/ {FL}
Signed by {FL}, {date}
__________________⏎{FL}⏎{JC}
Mit besten Grüßen⏎{FL}
Viele Grüße⏎{F}
Freundliche Grüsse⏎{O}⏎{FL}
Hochachtungsvoll⏎⏎{FL}
i. V. {FL}
i.A. {FL}⏎{fthing}
gez. {FL}
Bien cordialement,⏎{FL}⏎{O}
Sincères salutations⏎{FL}
Bien à vous,⏎{F}
Saludos cordiales,⏎{FL}
Atentamente⏎{FL}⏎{O}
Cordiali saluti,⏎{FL}
Un caro saluto⏎{F}
Hartelijke groeten,⏎{F}
Hoogachtend,⏎⏎{FL}
Atenciosamente,⏎{FL}
Com os melhores cumprimentos⏎{FL}
Z poważaniem⏎{FL}
Med vennlig hilsen⏎{FL}⏎{O}
Venlig hilsen⏎{FL}
Vänliga hälsningar⏎{FL}
Ystävällisin terveisin⏎{FL}
Üdvözlettel:⏎{FL}
{label}: ⏎Name: {P}⏎{label}: ⏎{label}:
{label}⏎Surname⏎{L}⏎First name⏎{F}⏎{label}⏎{label}
Last name⏎{L}⏎First name⏎{F}⏎Date of birth⏎{date}
Surname {L} Forename {F} Date of birth {date}
Name {P} Date of birth {date} Sex M
Name: {P} Phone: {phone} Email: {email}
Name (please print): {P}⏎Signature: ⏎Date: {date}
NAME⏎{P}⏎ADDRESS⏎{A}⏎TELEPHONE⏎{phone}
FIRST NAME: {F}⏎LAST NAME: {L}⏎STREET: {ST}⏎CITY: {C}
Tenant: {P}, Landlord: {P}, Rent: {amt}
Tenant {P}⏎Rent {amt}⏎Deposit {amt}
Insured: {P} Policy: {id} Premium: {amt}
Contact: {P} {phone}
Contact name: {P}⏎Relationship: daughter⏎Phone: {phone}
Caller: {P}⏎Time: {time}⏎Message: {sent}
Interviewer: {P}⏎Interviewee: {P}
Supervisor: {P}⏎Student: {P}⏎{Head}
Name des Patienten: {P}⏎Geburtsdatum: {fdate}⏎{flabel}:
Name, Vorname: {I}⏎Geburtsdatum: {fdate}⏎Straße: {ST}⏎PLZ, Ort: {Z} {C}
Familienname: {L}⏎Vorname(n): {F}⏎Geburtsort: {C}⏎Staatsangehörigkeit: {N}
Kontoinhaber: {P}⏎IBAN: {iban}
Kontoinhaberin {P}, {iban}
Mieter: {P}⏎Vermieter: {P}⏎Mietobjekt: {A}
Ansprechpartner: {P}⏎Telefon: {phone}
Ihr Ansprechpartner: Herr {L}
Ihre Zeichen: {id}⏎Bearbeiter: {P}⏎Datum: {fdate}
Antragsteller: {P}, wohnhaft {A}
Patient: {P}, geb. {fdate}, wohnhaft in {A}
Patientin {P}, geboren am {fdate} in {C}
Nom : {L}⏎Prénom : {F}⏎Né(e) le : {fdate}⏎À : {C}⏎Adresse : {A}
Nom et prénom : {L} {F}⏎{flabel} :
NOM : {L} PRÉNOM : {F}
Je soussigné(e) {P}, demeurant {A}, {fs}
Titulaire du compte : {P}⏎IBAN : {iban}
Locataire : {P}⏎Bailleur : {P}⏎Loyer : {amt}
Lieu de naissance : {C}⏎Nationalité : {N}
Nombre y apellidos: {P}⏎DNI: {id}⏎Domicilio: {A}
Apellidos: {L} {L}⏎Nombre: {F}
Primer apellido: {L}⏎Segundo apellido: {L}⏎Nombre: {F}
D. {P}, con domicilio en {A}, {fs}
Titular: {P}⏎Cuenta: {iban}
Nome: {F}⏎Cognome: {L}⏎Nato a: {C}⏎Il: {fdate}⏎Residente in: {A}
Cognome e nome: {L} {F}⏎Codice fiscale: {id}
Il sottoscritto {P}, nato a {C} il {fdate}, residente in {A}
Intestatario: {P}⏎IBAN: {iban}
Voornaam: {F}⏎Achternaam: {L}⏎Straat en huisnummer: {ST}⏎Woonplaats: {C}
Naam: {P}⏎Geboren: {fdate} te {C}
Huurder: {P}⏎Verhuurder: {P}⏎Adres: {A}
Nome completo: {P}⏎Morada: {A}
Imię: {F}⏎Nazwisko: {L}⏎Adres: {A}
Förnamn: {F}⏎Efternamn: {L}⏎Adress: {A}
Fornavn: {F}⏎Etternavn: {L}⏎Adresse: {A}
Name	{label}	{label}⏎{P}	{dept}	{num}⏎{P}	{dept}	{num}⏎{P}	{dept}	{num}
Name | {label} | {label}⏎{P} | {num} | {amt}⏎{P} | {num} | {amt}
No.	Name	{label}⏎1	{P}	{num}⏎2	{P}	{num}⏎3	{P}	{num}⏎4	{P}	{num}
Surname,First name,{label}⏎{L},{F},{num}⏎{L},{F},{num}⏎{L},{F},{num}
Nachname;Vorname;Ort⏎{L};{F};{C}⏎{L};{F};{C}
name,street,zip,city⏎{P},{ST},{Z},{C}⏎{P},{ST},{Z},{C}
id,first_name,last_name,email⏎{n},{F},{L},{email}⏎{n},{F},{L},{email}
{id};{L};{F};{date};{amt}⏎{id};{L};{F};{date};{amt}
{P} {amt}⏎{P} {amt}⏎{P} {amt}
{n}. {P} {num}⏎{n}. {P} {num}
{n} {L} {F} {num} {num}⏎{n} {L} {F} {num} {num}
Pos. {n} {P} {amt}
{date} {P} {amt}⏎{date} {P} {amt}
{date} Transfer from {P} {amt}
{date} {O} {amt}⏎{date} {O} {amt}
{time} {P}⏎{time} {P}
{P} – {dept}⏎{P} – {dept}
{P}, {P}, {P}, {P}
{I}; {I}; {I}
{L} {n}{n}.{n}{n}⏎{L} {n}{n}.{n}{n}⏎{L} {n}{n}.{n}{n}
{L}, {L} & {L}
| {P} | {C} |⏎| {P} | {C} |
• {P}⏎• {P}⏎• {P}
Room {n}: {P}⏎Room {n}: {P}
Monday: {F}, {F}⏎Tuesday: {F}, {F}⏎Wednesday: {F}
Morning shift {F} {L}, {F} {L}⏎Night shift {F} {L}
Team A: {F}, {F}, {F}⏎Team B: {F}, {F}, {F}
Lane {n} {L} {n}{n}.{n}
Driver {P} Vehicle {id}⏎Driver {P} Vehicle {id}
{JC} {P}⏎{JC} {P}
{Head}⏎{P}
{Head}⏎by {P}
{P}: {Head}
Aunt {F} and Uncle {F}
Grandma {F} made {food} and {food}.
{F} brought {food}, {food} and {food}.
{F}'s {dish}
Recipe by {FL}: {dish}
{FL} ordered {good} and {good}.
Sold to {P}: {good}, {amt}
Invoice to {P} for {good}⏎{good} {amt}⏎{biz} {amt}
{biz}: {P}
{biz}⏎{P}⏎{label}⏎{date}
{party}: {P}⏎{party}: {O}
The {party}, {P}, shall return the {def}.
{P} (the “{party}”) and {O} (the “{party}”)
between {P}, {A} (hereinafter “{party}”), and {O}, {A} (hereinafter “{party}”)
{def}: {A}
{O} ({def})⏎{A}
{P} clicked {ui} and saw the {noun}.
<td>{P}</td><td>{C}</td>
<p>{P}, {A}</p>
<li>{P}</li><li>{P}</li>
<b>{P}</b><br>{JC}<br>{O}
<input name="name" value="{P}">
title="{P}"
alt="Portrait of {P}"
"name": "{P}", "city": "{C}"
{"first": "{F}", "last": "{L}"}
name: {P}⏎city: {C}⏎{flabel}: {num}
author = "{P}"
// written by {FL} for {O}
user={F} host={noun}
From {F} {L} to {F} {L}: {sent}
{day}: {FL} on duty
{month}: visit from {P}
In {month}, {F} went to {C}.
May {F} have the {noun}?
Will {F} be there on {day}?
{fs} {P} {fs}
{P}, {C}. {fs}
{P} wohnt in {C}.
{P}, geboren in {C}, arbeitet bei {O}.
Eigentümer ist {P} aus {C}.
Das Konto gehört {P}, {A}.
{P} habite à {C}.
La maison de {P} se trouve à {C}.
{P} vive en {C} y trabaja en {O}.
El piso es de {P}, de {C}.
{P} abita a {C} e lavora presso {O}.
La casa di {P} è a {C}.
{P} woont in {C}.
Het huis van {P} staat in {C}.
{P} mora em {C}.
{P} bor i {C} og jobber hos {O}.
{P} mieszka w {C}.
Anschrift: {A}⏎Telefon: {phone}
Lieferadresse: {P}, {A}
Rechnungsadresse⏎{O}⏎{A}
Adresse de livraison : {A}
Dirección de entrega: {A}
Indirizzo di consegna: {A}
Bezorgadres: {A}
{O}⏎{A}⏎⏎{P}⏎{A}⏎⏎{C}, {fdate}⏎⏎Sehr geehrte Frau {L},⏎{fs}
{P}⏎{A}⏎⏎{O}⏎{A}⏎⏎{C}, le {fdate}⏎⏎Madame, Monsieur,⏎{fs}
{P}⏎{A}⏎⏎{date}⏎⏎Dear {T} {L},⏎{sent} {sent}⏎⏎Yours sincerely,⏎{P}
omg {F} just told me {F} is leaving
omg {F} is moving to {C} lol
yo its {F}, new number {phone}
hey its {F} from {C}, {sentc}
this is {F} btw, can u call {F}
ask for {F} when u get there, or {F}
can u pick up my parcel from {ST}
gonna meet {F} and {F} at {ST} at {time}
idk, {F} said {F} has the keys
lol {F}, tell {F} to bring the charger
[{time}] {F}: who's in?⏎[{time}] {F}: me, and {F} too
<{F}> did {F} reply?⏎<{F}> no
In {L} v {L} the court held that the notice was valid.
The decision in {L} v {O} was followed in {L} v. {L}.
In {L} and others v {O}, the claim failed.
{L} v {L} was settled; {L} v {C} was not.
This agreement is made on {date} between {P} of {A} (the Tenant) and {O} (the Landlord).
BETWEEN {P} of {A} ("the Buyer") and {P} of {A} ("the Seller")
{O} ("the Company") and {P} ("the Employee") agree as follows.
Present: {P}, {P} (union) and {P} ({JC}).
In attendance: {P} (chair), {P} ({J}), {P} (minutes)
I spoke with {L}'s assistant; {L} himself is away.
{F}'s brother and {L}'s lawyer were there.
Counsel for {O} submitted that {L} had known of it.
Ward {n} handover: bed {n} {L}, {age} yrs, nil by mouth
BED {n} {L} {age}Y; BED {n} {L} {age}Y, FOR DISCHARGE
{I} - probation extended to {date} - line manager {P}
I am travelling in {K} until {date}. Contact {P} on {phone}.
Forename(s) ... {F}⏎Surname ....... {L}⏎D.O.B ......... {date}
SURNAME........ {L}⏎FORENAMES...... {F} {F}⏎Tel (day)...... {phone}
Kind regards,⏎{P}⏎{JC}, {O}
Regards,⏎{F} {L}⏎Head of {dept}, {O}
Could you send two copies to {O}, {A}, for the attention of {P}?
Consignee: {O}, {A}. Notify party: {P}, {phone}.
Referee: {P}, {O}, {phone}, {email}
{P} has left {O}; {F} stays with {O}.
The invoice of {O} was signed off by {T} {L}, so {O} can pay.
{L} v {L} (No. {n}) — see the judgment of {date}.
In {L} v. {L} the court {verb} the {noun}. In {L} v {O} it did not.
In {L} v {L}, the {noun} was {adj}; {L} was distinguished.
{L} v {L} and {L} v {L} were not cited.
{L} ex parte {L}; Re {L}; R v {L}
hey {f} is {f} coming to the {noun}?
yo {f}, tell {f} the {noun} is {adj}
{f} says the {noun} is {adj}, ask {f}
can someone ping {f} or {f} about the {noun}
told {f} already, {f} knows
{f} joined the channel⏎{f} left the channel
{f}: done?⏎{f}: ask {f}
lol {f} again, u ok {f}?
has anyone heard from {f}? {f} said noon
Present: {L}, {L}, {L}, {L}
Apologies: {L}, {L} and {L}
Witnessed by {P} and countersigned by {P}.
Photographs by {P}, words by {P}
The {noun} was ordered by {P} last week.
{F} & {P} are moving to {A} in {month}.
{F} and {F} {L} have sold the {noun}.
{F} asks whether the {noun} is {adj}; {F} hopes so.
{P}'s {noun} expires in {month}, so {verb} the {noun} early.
Account holder {P}, reference {id}
Payment to {P}, reference {noun} {month}
My cousin {F} lives with {P} near {C}.
According to {OB}, {P} starts in {month} in {C}.
{P} works at {OB} and lives in {C}.
The {OB} store in {C} opens in {month}, says {P}.
Mrs {L} sold her {BR}; {F} bought a {BR}.
The new {BR} outsells the {BR} in {month}. {BR} expects a {noun}.
{q}'s method, the {q} cycle, the {q} effect and the {q} test
{q} syndrome, {q}'s disease, {q}-{q} test negative
Round {n}: {BR} {c} {n}, {c} {n}; {BR} {c} {n}, {BR} {c} {n}
{c} Town {n}, {c} United {n}; {BR} {n}, {BR} {c} {n}. {c} stay top.
{Noun} '{q}' {adj} {amt}⏎{Noun} '{q} {q}' {adj} {amt}
The {BR} {n}00 is for household use only.
{Noun}, {Noun}, {Noun}, {Noun} and {Noun} are out of stock.
Vehicle: {id}⏎Keeper: {P}
Kind regards,⏎{P}⏎{dept}
{I} - absent
{I} ({adj}); {I}
{F} and {P} have taken over the {noun}.
Dear Mr. {L},⏎{sent} Kind regards,⏎{P}⏎{dept}
{P}'s passport ({id}) is in the {noun}.
Re: Estate of {P}, deceased
can u ping {f} or text me at {phone}? cheers
Shipping label: {P}, {A}.
`;
