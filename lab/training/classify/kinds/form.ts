/** See ../grammar.ts for the format: `@` before a label is a field, empty or filled in. */
export const form = `
## en head
!APPLICATION FORM⏎Please complete all sections in BLOCK CAPITALS
!Patient Registration Form⏎{company} Medical Centre
!Change of Address Notification⏎Return this form to {company}, {street}, {town}
!MEMBERSHIP APPLICATION⏎{company} Club⏎For office use only: No. ______
!Expense Claim⏎Name of employee: ________ Month: {month}
Form {id} (Rev. {year})⏎!Request for Certificate⏎Department of {topic}
!Customer Satisfaction Questionnaire⏎Please tick one box for each statement
!PARENTAL CONSENT FORM⏎{company} School
!Accident / Incident Record⏎To be completed by the supervisor
!Application for {topic}⏎Part 1: About you
!Employee Details⏎{company} Human Resources
!Booking request⏎{company}⏎Fields marked * are required
## en fields
@Surname⏎@First name(s)⏎@Date of birth|date⏎@Nationality
@Full name|person⏎@Address|street⏎@Postcode⏎@Telephone|phone⏎@E-mail|email
@Name of applicant|person⏎@Occupation|job⏎@Employer|company
@Emergency contact|person⏎@Relationship⏎@Phone number|phone
Sex: [ ] Male [ ] Female⏎Marital status: [ ] Single [x] Married [ ] Divorced
☐ Yes ☐ No Do you smoke?⏎☐ Yes ☐ No Have you been a member before?
@Social Security Number⏎@City, State, ZIP|town⏎@Driver license number
@Current medication⏎@Allergies⏎@Name of doctor|person⏎@Insurance number|num
How satisfied were you with our staff? 1 2 3 4 5⏎Would you recommend us? Yes / No⏎Comments: ________________
@Vehicle registration⏎@Make and model⏎@Policy number|num⏎@Date of loss|date
@Account holder|person⏎@IBAN|iban⏎@Amount|amt
@Date of travel|date⏎@Destination|town⏎@Reason for absence
Type of membership (check one): ( ) Adult ( ) Junior ( ) Family
If yes, please give details:⏎______________________________⏎______________________________
@Child's name|first⏎@Class / Year⏎@Parent or guardian|person
@Title⏎@Given names|first⏎@Family name|last⏎@Place of birth|town⏎@Passport number
## en foot
I declare that the information given above is true and complete.⏎Signature: ______________ Date: ________
I hereby authorise {company} to process my data.⏎Signature of applicant⏎Date
FOR OFFICIAL USE ONLY⏎Received by: ________ Date: ________ Approved: Y / N
Under penalties of perjury, I certify that the information is correct.⏎Sign here ▶
Please return the completed form to {email} no later than {date}.
See instructions on page 2. Attach additional sheets if necessary.
## de head
!ANTRAG AUF {topic}⏎Bitte in Druckbuchstaben ausfüllen
!Anmeldeformular⏎{company} e. V.
!Aufnahmebogen⏎Praxis Dr. {last}
!Fragebogen zur Zufriedenheit⏎Zutreffendes bitte ankreuzen
!Beitrittserklärung⏎Hiermit beantrage ich die Mitgliedschaft im {company}
## de fields
@Name, Vorname|person⏎@Geburtsdatum|date⏎@Geburtsort|town⏎@Staatsangehörigkeit
@Straße, Hausnummer|street⏎@PLZ, Ort|town⏎@Telefon|phone⏎@E-Mail|email
Familienstand: ☐ ledig ☐ verheiratet ☐ geschieden⏎Geschlecht: ☐ m ☐ w ☐ d
@Kontoinhaber|person⏎@IBAN|iban⏎@Kreditinstitut
☐ ja ☐ nein Nehmen Sie regelmäßig Medikamente ein?⏎@Krankenkasse⏎@Hausarzt|person
@Arbeitgeber|company⏎@Beruf|job⏎@Steuer-ID
## de foot
Ich versichere, dass die Angaben vollständig und richtig sind.⏎Ort, Datum ____________ Unterschrift ____________
Wird vom Amt ausgefüllt: Eingang am ______ Az. ______
Falls ja, bitte erläutern: ______________________
## fr head
!FORMULAIRE D'INSCRIPTION⏎À remplir en lettres capitales
!DEMANDE DE {topic}⏎cerfa N° {num}
!Fiche de renseignements⏎{company}⏎Année {year}
!Déclaration de sinistre⏎Assurance {company}
## fr fields
@Nom|last⏎@Prénom|first⏎@Date de naissance|date⏎@Lieu de naissance|town
@Adresse|street⏎@Code postal et ville|town⏎@Téléphone|phone⏎@Courriel|email
Sexe : ☐ M ☐ F⏎Situation familiale : ☐ célibataire ☐ marié(e) ☐ divorcé(e)
@Profession|job⏎@Employeur|company⏎@N° de sécurité sociale
☐ oui ☐ non Êtes-vous déjà adhérent ?⏎@Personne à prévenir|person
## fr foot
Je soussigné(e) certifie exacts les renseignements ci-dessus.⏎Fait à ________ le ________ Signature
Cadre réservé à l'administration⏎N° de dossier ________
Cochez la case correspondante. Joindre les pièces justificatives.
## es head
!SOLICITUD DE {topic}⏎Rellene en letras mayúsculas
!FORMULARIO DE INSCRIPCIÓN⏎{company}
!Ficha del alumno⏎Curso {year}
!Encuesta de satisfacción⏎Marque con una X
## es fields
@Nombre y apellidos|person⏎@DNI/NIE⏎@Fecha de nacimiento|date⏎@Nacionalidad
@Domicilio|street⏎@Código postal⏎@Localidad|town⏎@Teléfono|phone⏎@Correo electrónico|email
Sexo: [ ] Hombre [ ] Mujer⏎Estado civil: [ ] Soltero/a [ ] Casado/a
@Titular de la cuenta|person⏎@Número de cuenta|iban
Sí ☐ No ☐ ¿Padece alguna alergia?⏎@Profesión|job
## es foot
Declaro que son ciertos los datos consignados.⏎En ________ a ___ de ________ Firma del solicitante
Espacio reservado a la administración
## it head
!MODULO DI ISCRIZIONE⏎Compilare in stampatello
!DOMANDA DI {topic}⏎Al Comune di {town}
!Autocertificazione⏎(art. 46 D.P.R. 445/2000)
## it fields
@Il/La sottoscritto/a|person⏎@nato/a a|town⏎@il|date⏎@residente in|street
@Cognome|last⏎@Nome|first⏎@Codice fiscale⏎@Telefono|phone⏎@E-mail|email
Sesso ☐ M ☐ F⏎Stato civile ☐ celibe/nubile ☐ coniugato/a
barrare la casella: ☐ sì ☐ no⏎@Cittadinanza⏎@Professione|job
## it foot
DICHIARA sotto la propria responsabilità⏎Luogo e data ____________ Firma ____________
Riservato all'ufficio⏎Prot. n. ________
## nl head
!AANVRAAGFORMULIER⏎{topic}⏎Invullen in blokletters
!Inschrijfformulier⏎{company}
!Vragenlijst⏎Kruis aan wat van toepassing is
## nl fields
@Achternaam|last⏎@Voorletters⏎@Geboortedatum|date⏎@BSN
@Straat en huisnummer|street⏎@Postcode en woonplaats|town⏎@Telefoonnummer|phone⏎@E-mailadres|email
Geslacht: O man O vrouw⏎Burgerlijke staat: ☐ gehuwd ☐ ongehuwd
@Rekeningnummer|iban⏎@Werkgever|company⏎☐ ja ☐ nee Heeft u kinderen?
## nl foot
Ondergetekende verklaart dit formulier naar waarheid te hebben ingevuld.⏎Plaats ________ Datum ________ Handtekening ________
Niet invullen: ruimte voor de behandelaar
## pt head
!FICHA DE INSCRIÇÃO⏎Preencha em letra de forma
!REQUERIMENTO⏎{topic}⏎Câmara Municipal de {town}
!Formulário de cadastro⏎{company}
## pt fields
@Nome completo|person⏎@Data de nascimento|date⏎@Naturalidade|town⏎@NIF
@Morada|street⏎@Código postal⏎@Localidade|town⏎@Telemóvel|phone⏎@E-mail|email
Sexo: ( ) M ( ) F⏎Estado civil: ( ) solteiro ( ) casado⏎( ) sim ( ) não Possui filhos?
@Profissão|job⏎@Entidade patronal|company
## pt foot
Declaro sob compromisso de honra que as informações são verdadeiras.⏎Data ___/___/___ Assinatura ________________
Reservado aos serviços
`;
