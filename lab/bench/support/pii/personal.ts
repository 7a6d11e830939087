/**
 * People, places and so on in letters, forms and lists, by kind, handwritten for the benchmark: `<P
 * …>` is a person, `<T …>` a title, `<O …>` an organisation, `<L …>` a place, `<A …>` an address,
 * `<N …>` a nationality or group; ⏎ is a new line. None of it is in `training/`.
 */
export const personal: Readonly<Record<string, string>> = {
  salutations: `
Dear <T Ms.> <P Whitcombe>,⏎thank you for your letter of 3 March.
Dear <P Priyanka>,⏎I hope this finds you well.
Dear <P Oluwaseun> and <P Femi>,
Dear <T Prof.> <P Lindqvist>,
Dear <T Dr> <P Abernathy>, please find the results enclosed.
Hi <P Wojtek>, did the parts arrive?
Good morning <P Svetlana>,
Sehr geehrter Herr <P Mühlbauer>,⏎wir nehmen Bezug auf Ihr Schreiben.
Sehr geehrte Frau <T Dr.> <P Ostermeier>,
Liebe <P Annegret>, lieber <P Hartmut>,
Hallo <P Yannick>,
Chère Madame <P Delacourt>,
Cher <P Anatole>,
Monsieur <P Benoît Chastagnier>,
Estimada Sra. <P Etxeberria>:
Querido <P Íñigo>,
Gentile Dott.ssa <P Mastrangelo>,
Egregio Signor <P Bevilacqua>,
Geachte heer <P Van der Heijden>,
Beste <P Marloes>,`,
  signatures: `
Yours sincerely,⏎⏎<P Penelope Ashdown>
Best wishes⏎<P Radoslav>
Kind regards,⏎<P Thandiwe Mokoena>⏎<O Brightwater Logistics Ltd>
Mit freundlichen Grüßen⏎⏎i. A. <P Gudrun Pfannenschmidt>
Mit freundlichen Grüßen⏎<P Ferdinand Oelschläger>⏎<O Oelschläger & Söhne KG>
Cordialement⏎<P Maëlle Kervadec>
Atentamente,⏎<P Remedios Zubizarreta>
Distinti saluti⏎<P Ludovica Sanseverino>
Met vriendelijke groet,⏎<P Joost Verschueren>
Hälsningar⏎<P Torbjörn Åkesson>
-- ⏎<P Callum McAllister>⏎Tel. +44 20 7946 0018
Cheers⏎<P Niamh>
Signed: <P Bartholomew J. Kingsley>
For and on behalf of <O Kestrel Marine plc>⏎<P Imogen Fairweather>
<P Akiko Tanabe>, <T M.D.>
Witnessed by <P Eustace Pemberton>`,
  forms: `
Name: <P Zdeněk Hovorka>⏎Date of birth: 04.11.1968
Patient: <P Ingeborg Thalmann>⏎Ward: 4B
Surname: <P Okafor>⏎Forename: <P Chidinma>
Full name <P Giancarlo Pastorino>⏎Home town <L Bergamo>
Applicant's name: <P Rosalind Thackeray>
Tenant: <P Mehmet Yıldırım> Landlord: <P Cornelia Brückner>
Father's name: <P Anselm Dreher>⏎Mother's maiden name: <P Kowalczuk>
Contact: <P Hamish Dunbar>, ext. 4471
Next of kin: <P Leilani Kahale> (daughter)
Insured person <P Dietmar Schönfelder> Policy 77-190
Name, Vorname: <P Wiesengrund, Theodora>
Name des Kontoinhabers: <P Sieglinde Achterberg>
Geburtsort: <L Zwickau>⏎Staatsangehörigkeit: <N österreichisch>
Nom: <P Quintrec>⏎Prénom: <P Solenn>
Nom et prénom : <P Archambault Hyacinthe>
Apellidos: <P Goicoechea Larrañaga>⏎Nombre: <P Nekane>
Nombre completo: <P Baltasar Quiroga Pimentel>
Cognome: <P Zampieri>⏎Nome: <P Ermenegildo>
Nato a <L Civitavecchia> il 03/05/1971
Achternaam: <P Dijkgraaf>⏎Voornamen: <P Liesbeth Maria>
Employer: <O Hollowell Ceramics Inc.>
Bank: <O Volksbank Hameln>
Place of birth: <L Ouagadougou>
Nationality: <N Moldovan>
Religion: <N Quaker>
Attending physician: <T Dr.> <P Fitzwilliam>
Cardholder: <P MRS E M HARGREAVES>
Passenger <P ILLESCAS/JOAQUIN>
Beneficiary: <P Tshering Wangmo>
Emergency contact: <P Uncle Bob Tillotson>, 0161 496 0123`,
  tables: `
Name	Department	Phone⏎<P Greta Lindholm>	Sales	4410⏎<P Marek Dvořák>	Purchasing	4412⏎<P Aoife Brennan>	Legal	4420
1. <P Lorenzo Battaglia>⏎2. <P Hye-jin Park>⏎3. <P Siobhán O'Rourke>
<P Adeyemi, Folasade>; <P Brandt, Jörg>; <P Castellanos, Pilar>
Surname,First name,City⏎<P Pettersson>,<P Maj-Britt>,<L Uppsala>⏎<P Nowicki>,<P Bogdan>,<L Wrocław>
| <P Henrietta Vance> | Room 12 |⏎| <P Solomon Achebe> | Room 14 |
Attendees: <P T. Rasmussen>, <P K. Vandenberghe>, <P L. Moreau>
Pos. 1 <P Hannelore Grubmüller> 120,00 EUR⏎Pos. 2 <P Egon Straubinger> 85,00 EUR
Lane 3 <P Beaumont> 58.21⏎Lane 4 <P Sokolova> 58.74⏎Lane 5 <P Iwamoto> 59.03
Present: <P Cllr Dorothea Plimpton>, <P Neville Ackroyd>
Driver <P Ruslan Akhmetov> Truck 12⏎Driver <P Florin Ciobanu> Truck 15
<P Whitfield> 3 – 6 – 7⏎<P Zeballos> 6 – 4 – 5`,
  capitals: `
NAME: PRIMROSE EVERSLEY
<P THEODOROS KARAGIANNIS>⏎<A 22 HARBOUR STREET⏎FALMOUTH TR11 3AZ>
TO: <P MR BENEDICT OYELARAN>
IN THE MATTER OF <P GWENDOLYN PRICHARD>
PATIENT <P DUBOIS MARGUERITE> DOB 12/09/1944
FRAU <P HILDEGARD WOLFENSTEIN>
INVOICE TO <O SANDGATE JOINERY LTD>
DEFENDANT: <P ROSCOE T. MERRIWEATHER>
<P Jean-Baptiste LEFRANÇOIS>
<P KIM Seo-yeon>
EMPLOYEE <P VAN HOUTEN, PIETER>
CERTIFICATE AWARDED TO <P ANOUK DESROSIERS>`,
  misread: `
Narne: <P Friedhelrn Kastner>
Dear Mr. <P Thornpson>,
Name <P Joha nna Steinmetz>
Pat1ent: <P 0livia Fernsby>
Yours slncerely⏎<P Wi11iam Garside>
Herr <P Mül1er> wohnt in <L Regensburg>
<A Bahnhofstr. l4, 7O173 Stuttgart>
<A 17 Mi1l Lane, York YO1 7PR>
Kunde: <P Jürgcn Wessel>
<P Eiizabeth Crowther> , <A 5 Abbey Wa1k, Bath>
Tel. <P Rnargaret Holloway>
Sehr gcehrte Frau <P Zimrnermann>`,
  world: `
<P Nguyễn Thị Hạnh> applied on Monday.
<P Bùi Quang Huy> and <P Ngô Minh Châu> share a flat.
The claim of <P Abdulrahman al-Qahtani> was allowed.
<P Ximena Huanca Mamani> lives with her brother.
<P Kwabena Asante-Boateng> called twice.
Our guide <P Batbayar> was late.
<P Jóhanna Sigurbjörnsdóttir> wrote the report.
<P Tamar Gelashvili> will replace <P Davit Kapanadze>.
<P Wei-Ling Chou> paid the deposit.
<P Satoshi Kuribayashi> signed on Tuesday.
<P Harpreet Kaur Dhillon> is the account holder.
<P Venkataraman Subramaniam> retired in May.
<P Ekaterina Zhdanova> asked for a refund.
<P Олена Шевчук> подписала договор.
Ο <P Γιώργος Μαυρίδης> υπέγραψε τη σύμβαση.
<P Mihály Csizmadia> és <P Boglárka Szendrei>
<P Đorđe Stanković> moved out.
<P Małgorzata Świątek> reported the theft.
<P Makena Wanjiru> sent the papers.
<P Fa'asavalu Tuilagi> scored twice.`,
  addresses: `
<A 14 Larkspur Close, Kettering NN15 7QT>
<A 2207 Cottonwood Dr, Unit 4B, Boise, ID 83702>
<A Flat 3, 118 Clapham Manor Street, London SW4 6ED>
<A Mozartstraße 8a, 93047 Regensburg>
<A Am Alten Markt 3⏎18055 Rostock>
<A Unter den Eichen 87, D-12205 Berlin>
<A Hauptstr. 112, 69117 Heidelberg>
Sie wohnt <A Lindenweg 5, 8400 Winterthur>.
<A Postfach 10 22 33, 70018 Stuttgart>
<A 27 bis, rue du Faubourg Saint-Antoine, 75011 Paris>
<A 8 allée des Tilleuls⏎69450 Saint-Cyr-au-Mont-d'Or>
<A BP 114, 31003 Toulouse Cedex 6>
Elle habite <A 4 place de la Mairie, 29200 Brest>.
<A Calle de Alcalá, 45, 3º B, 28014 Madrid>
<A C/ Mayor 12, 31001 Pamplona>
<A Avda. de la Constitución 9, 41001 Sevilla>
<A Via Garibaldi 21, 16124 Genova (GE)>
<A Piazza San Marco 1⏎30124 Venezia VE>
<A Corso Vittorio Emanuele II, 154 - 00186 Roma>
<A Keizersgracht 241-hs, 1016 EA Amsterdam>
<A Dorpsstraat 9⏎3511 KL Utrecht>
<A Rozenlaan 55 bus 3, 2018 Antwerpen>
<A ul. Długa 17 m. 4, 00-238 Warszawa>
<A Storgatan 31, 211 42 Malmö>
<A Rua das Flores 88, 4050-262 Porto>
<A 55 Collins Street, Melbourne VIC 3000>
<A 1420 rue Sherbrooke Ouest, Montréal QC H3G 1K4>
<A 12/3 MG Road, Bengaluru 560001>
Deliver to <A Unit 7, Riverside Trading Estate, Exeter EX2 8LB> before noon.
<A P.O. Box 1187, Truckee, CA 96160>`,
  running: `
<P Marguerite Oyelowo> joined <O Northfield Dental Care> in <L Leicester> as a receptionist.
I met <P Rupert> at <O Lloyds Bank> in <L Croydon>.
The flat belongs to <P Esperanza Villanueva> of <L Granada>.
On Friday <P Gareth Llewellyn> and his wife <P Bronwen> flew to <L Lisbon>.
my name is <P deborah sinclair> and i live in <L nottingham>
can you call <P ravi> back about the boiler
Ask <P Mohammed> or <P Fatima> at the desk.
The nurse, <P Philippa>, changed the dressing.
<P Hannah>'s bicycle was stolen outside <O St Matthew's School>.
He is <N Norwegian>, she is <N Peruvian>.
<T Mrs> <P Abiola> and <T Mr> <P Featherstone> disagreed.
The accused <P Leopold Starcke> denied everything.
According to <P Vaughan>, the roof leaked.
<P Jacqueline Dubreuil> wohnt seit 2019 in <L Mannheim>.
Das Auto gehört <P Wolfgang Petersen> aus <L Bielefeld>.
La propriétaire, <P Odile Marchetti>, vit à <L Grenoble>.
El inquilino, <P Aurelio Saavedra>, vive en <L Zaragoza>.
L'appartamento è di <P Fiammetta Rossini> di <L Perugia>.
De eigenaar, <P Maarten Hoekstra>, woont in <L Zwolle>.`,
};
