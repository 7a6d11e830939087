/** See ../grammar.ts for the format: `{mrz3}` is the zone of a passport, `{mrz1}` of a card. */
export const identityDocument = `
## en head
!GOVERNMENT OF {STATE}⏎Tax Department⏎PERMANENT ACCOUNT NUMBER CARD
!{STATE}⏎SOCIAL SECURITY CARD
!PASSPORT⏎UNITED KINGDOM OF GREAT BRITAIN AND NORTHERN IRELAND
!UNITED STATES OF AMERICA⏎PASSPORT⏎Type P Code USA
!DRIVING LICENCE⏎UK
!{STATE}⏎DRIVER LICENSE
!REPUBLIC OF {STATE}⏎IDENTITY CARD
!RESIDENCE PERMIT⏎{STATE}
!PERMANENT RESIDENT CARD⏎{STATE}
!{STATE} DEPARTMENT OF MOTOR VEHICLES⏎IDENTIFICATION CARD
!Voter identification card⏎{STATE} Electoral Office
!EUROPEAN HEALTH INSURANCE CARD
!National Identity Card⏎{STATE}
!STUDENT CARD⏎University of {town}
## en fields
{PERSON}⏎Father's name {PERSON}⏎Date of birth {date}⏎{id}
{LAST}⏎{FIRST}⏎{date}⏎{TOWN}⏎{id}⏎{date} - {date}
No. {num}⏎Full name {person}⏎Address {street} {town}⏎Blood group A+⏎Valid from {date} to {date}
Surname⏎{LAST}⏎Given names⏎{FIRST}⏎Nationality⏎{STATE} CITIZEN⏎Date of birth⏎{date}⏎Sex {sex} Place of birth {TOWN}
1. {LAST}⏎2. {FIRST}⏎3. {date} {TOWN}⏎4a. {date} 4b. {date} 4c. DVLA⏎5. {id}⏎8. {street}, {town}⏎9. AM/B1/B
DL {id}⏎EXP {date}⏎LN {LAST}⏎FN {FIRST}⏎{street}⏎DOB {date}⏎SEX {sex} HAIR BRN EYES BLU⏎HGT 5'-0{n}" WGT 1{n}0 lb⏎ISS {date}
Name: {person}⏎ID No: {num}⏎DOB: {date}⏎Valid until: {date}
Document No. {id}⏎Date of issue {date}⏎Date of expiry {date}⏎Authority {TOWN}
Passport No. {id}⏎Surname {LAST}⏎Given Names {FIRST}⏎Date of Issue {date}⏎Holder's signature
Card No {num}⏎{person}⏎Category {n}⏎Resident since {date}⏎Country of birth {STATE}
## en zone
{mrz3}
{mrz1}
Signature of bearer
ORGAN DONOR⏎CLASS C REST NONE END NONE
Issuing authority: {TOWN}⏎Personal number {num}
## de head
!BUNDESREPUBLIK DEUTSCHLAND⏎PERSONALAUSWEIS
!REISEPASS⏎Bundesrepublik Deutschland Federal Republic of Germany
!FÜHRERSCHEIN⏎BUNDESREPUBLIK DEUTSCHLAND
!AUFENTHALTSTITEL
## de fields
Name⏎{LAST}⏎Vornamen⏎{FIRST}⏎Geburtstag⏎{date}⏎Staatsangehörigkeit⏎DEUTSCH⏎Gültig bis {date}
Geburtsort {TOWN}⏎Augenfarbe BLAU⏎Größe 1{n}{n} cm⏎Ausstellende Behörde STADT {TOWN}
1. {LAST} 2. {FIRST}⏎3. {date} {TOWN}⏎4a. {date} 4b. {date}⏎5. {id} 9. B
## de zone
{mrz1}
{mrz3}
Unterschrift der Inhaberin/des Inhabers⏎Zugangsnummer {num}
## fr head
!RÉPUBLIQUE FRANÇAISE⏎CARTE NATIONALE D'IDENTITÉ
!PASSEPORT⏎République française⏎Union européenne
!PERMIS DE CONDUIRE⏎RÉPUBLIQUE FRANÇAISE
!TITRE DE SÉJOUR
## fr fields
Nom : {LAST}⏎Prénom(s) : {FIRST}⏎Sexe : {sex} Né(e) le : {date}⏎à : {TOWN}⏎Taille : 1,7{n} m
Nationalité FRA⏎Date d'expiration {date}⏎Délivré par {TOWN}⏎N° {id}
Nom/Surname {LAST}⏎Prénoms/Given names {FIRST}⏎Date de délivrance {date}
## fr zone
{mrz1}
{mrz3}
Signature du titulaire
## es head
!ESPAÑA⏎DOCUMENTO NACIONAL DE IDENTIDAD
!PASAPORTE⏎REINO DE ESPAÑA
!PERMISO DE CONDUCCIÓN⏎ESPAÑA
!REPÚBLICA DE {STATE}⏎CÉDULA DE CIUDADANÍA
## es fields
APELLIDOS⏎{LAST}⏎NOMBRE⏎{FIRST}⏎SEXO {sex} NACIONALIDAD ESP⏎FECHA DE NACIMIENTO {date}⏎VALIDEZ {date}⏎DNI {id}
Número {num}⏎Apellidos {LAST}⏎Nombres {FIRST}⏎Lugar de nacimiento {TOWN}⏎Fecha de expedición {date}
## es zone
{mrz1}
{mrz3}
FIRMA DEL TITULAR EQUIPO {num}
## it head
!REPUBBLICA ITALIANA⏎CARTA DI IDENTITÀ
!PASSAPORTO⏎REPUBBLICA ITALIANA
!PATENTE DI GUIDA⏎REPUBBLICA ITALIANA
## it fields
COGNOME⏎{LAST}⏎NOME⏎{FIRST}⏎NATO A {TOWN} IL {date}⏎CITTADINANZA ITALIANA⏎STATURA 17{n}⏎SCADENZA {date}
Rilasciata da COMUNE DI {TOWN}⏎Data di rilascio {date}⏎N. {id}⏎Sesso {sex}
## it zone
{mrz1}
{mrz3}
Firma del titolare
## nl head
!KONINKRIJK DER NEDERLANDEN⏎IDENTITEITSKAART
!PASPOORT⏎Koninkrijk der Nederlanden
!RIJBEWIJS⏎NEDERLAND
## nl fields
Naam/surname⏎{LAST}⏎Voornamen⏎{FIRST}⏎Geboortedatum {date}⏎Nationaliteit Nederlandse⏎Geldig tot {date}
Documentnummer {id}⏎Datum van afgifte {date}⏎Instantie Burg. van {TOWN}⏎Lengte 1,7{n} m
## nl zone
{mrz1}
{mrz3}
## pt head
!REPÚBLICA PORTUGUESA⏎CARTÃO DE CIDADÃO
!PASSAPORTE⏎REPÚBLICA FEDERATIVA DO BRASIL
!CARTEIRA NACIONAL DE HABILITAÇÃO
## pt fields
APELIDO(S)⏎{LAST}⏎NOME(S)⏎{FIRST}⏎SEXO {sex} ALTURA 1,7{n}⏎DATA DE NASCIMENTO {date}⏎DATA DE VALIDADE {date}
NOME {person}⏎DOC. IDENTIDADE {num}⏎CPF {num}⏎FILIAÇÃO {person}⏎VALIDADE {date}
## pt zone
{mrz1}
ASSINATURA DO TITULAR⏎{num}
`;
