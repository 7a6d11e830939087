/** See ../grammar.ts for the format. */
export const cv = `
## en head
!CURRICULUM VITAE⏎{person}⏎{street}, {town}⏎{phone} | {email}
{person}⏎{job}⏎{email} | {phone} | linkedin.com/in/{first}
{PERSON}⏎{town} • {phone} • {email}
!Resume⏎{person}
Name: {person}⏎Date of birth: {date}⏎Nationality: {STATE}⏎E-mail: {email}
{person}, {job}
## en profile
Professional Summary⏎{job} with {n} years of experience in {topic}. Skilled at leading teams.
PROFILE⏎A motivated {job} who enjoys {topic}.
Objective⏎To obtain a position as {job} in a growing company.
About me⏎I build things with care and have worked with {skill} and {skill}.
## en work
*{year}-  {job}, {company}⏎*{year}-{year}  {job}, {company}, {town}
Positions held: {company} ({year}-), {company} ({year}-{year})
*{company}, {town}, {job}, 06/{year}-present. Trained {n} new staff.
Appointments⏎*{year}-{year} {job}, {town}
!WORK EXPERIENCE⏎*{month} {year} – Present⏎{job}, {company}, {town}⏎• Managed a team of {n}⏎• Improved {topic} by {n}{n}%
!Employment History⏎*{year} - {year}→{company}→{job}⏎Responsible for {topic}
!Experience⏎*{job} | {company} | {year}–{year}⏎- Developed {topic}⏎- Led projects using {skill}
!Career to date⏎*{company}, {town} ({month} {year} to {month} {year})⏎{job}⏎Achievements: delivered {topic} on time
!Professional experience⏎*{job} at {company}⏎{n}{n}/{year} - now⏎Introduced {skill}, trained {n} colleagues
## en school
Training: {town} School, HND {year}
{year} PhD, {town}. {year} MSc {subject}
{town} High School diploma {year}.
!EDUCATION⏎{year} – {year} BSc in {subject}, University of {town}⏎{year} A levels, {town} School
!Education⏎Master of Science, {subject}, {town} University, {year}⏎Bachelor of Arts, {subject}, {year}, GPA 3.{n}
!Qualifications⏎Diploma in {subject} ({year})⏎GCSEs: nine, grades A to C
!Academic background⏎PhD {subject}, {town}, {year}. Thesis: {topic}
## en skills
{skill}, {skill}, {skill}⏎English, French, some Italian
{skill}, first aid, licence B. Bilingual Spanish.
Grants: {year}, {year}. Supervised {n} students.
!SKILLS⏎{skill}, {skill}, {skill}⏎Languages: English (native), French (fluent), German (basic)
!Key skills⏎• {skill}⏎• {skill}⏎• {skill}⏎Driving licence: full, clean
!Technical skills: {skill}, {skill}, {skill}, {skill}
!Interests⏎Running, chess, photography⏎References available on request
!Certifications⏎{skill} Professional ({year})⏎First aid ({year})
!Publications⏎{last}, {first} ({year}). {topic}.⏎!Awards⏎Employee of the year {year}
## de head
!LEBENSLAUF⏎{person}⏎{street}, {town}⏎geboren am {date} in {town}
!Lebenslauf⏎Persönliche Daten⏎Name: {person}⏎Familienstand: ledig⏎Telefon: {phone}
{person}⏎{job}⏎{email}
## de work
!BERUFSERFAHRUNG⏎*{n}{n}/{year} – heute→{job}, {company}, {town}⏎• Leitung von {topic}
!Beruflicher Werdegang⏎*{year} - {year}→{company}→{job}
!Praktika⏎*{month} {year} {company}, {town}
## de school
!AUSBILDUNG⏎{year} – {year} Studium {subject}, Universität {town}, Abschluss: Master⏎{year} Abitur, Gymnasium {town}
!Schulbildung und Studium⏎{year}–{year} Bachelor {subject}, Hochschule {town} (Note 1,{n})
## de skills
!KENNTNISSE⏎{skill}, {skill}⏎Sprachen: Deutsch (Muttersprache), Englisch (verhandlungssicher)
!Weitere Fähigkeiten⏎EDV: {skill}, {skill}⏎Führerschein Klasse B⏎Hobbys: Lesen, Wandern
## fr head
{person}⏎{street}, {town}⏎{phone}⏎{email}⏎{n}{n} ans, permis B
!CURRICULUM VITAE⏎{person}⏎{job}
## fr work
!EXPÉRIENCE PROFESSIONNELLE⏎*{year} – aujourd'hui : {job}, {company}, {town}⏎- Gestion de {topic}
!Expériences⏎*{month} {year} - {month} {year}→{company}→{job}
!Parcours professionnel⏎*Depuis {year} {job} chez {company}
## fr school
!FORMATION⏎{year} Master {subject}, Université de {town}⏎{year} Baccalauréat, Lycée de {town}
!Diplômes et formations⏎{year}-{year} Licence de {subject}
## fr skills
!COMPÉTENCES⏎Informatique : {skill}, {skill}⏎Langues : anglais courant, espagnol (notions)
!Centres d'intérêt⏎Lecture, voyages, tennis
## es head
!CURRÍCULUM VÍTAE⏎Datos personales⏎{person}⏎{street}, {town}⏎{phone}
{person}⏎{job}⏎{email} | {phone}
## es work
!EXPERIENCIA LABORAL⏎*{year} - actualidad→{job}, {company}⏎Funciones: {topic}
!Experiencia profesional⏎*{month} {year} – {month} {year} {company}, {town}⏎{job}
## es school
!FORMACIÓN ACADÉMICA⏎{year} Licenciatura en {subject}, Universidad de {town}
!Estudios⏎Grado en {subject} ({year}-{year})⏎Bachillerato, {town}
## es skills
!IDIOMAS⏎Inglés: nivel alto. Francés: nivel medio⏎!Informática⏎{skill}, {skill}
!Otros datos⏎Carnet de conducir B. Vehículo propio. {skill}
## it head
!CURRICULUM VITAE⏎Informazioni personali⏎{person}⏎{street}, {town}⏎Nato a {town} il {date}
{person}⏎{job}⏎{email}
## it work
!ESPERIENZA PROFESSIONALE⏎*Dal {year} ad oggi→{job} presso {company}
!Esperienze lavorative⏎*{year} – {year} {company}, {town}⏎{job}: {topic}
## it school
!ISTRUZIONE E FORMAZIONE⏎{year} Laurea in {subject}, Università di {town}⏎{year} Diploma di liceo scientifico
!Titoli di studio⏎{year} Master in {subject}
## it skills
!COMPETENZE⏎Madrelingua italiana, inglese fluente⏎{skill}, {skill}⏎Patente B
!Capacità e competenze informatiche⏎{skill}, {skill}. Autorizzo il trattamento dei dati personali
## nl head
!CURRICULUM VITAE⏎Personalia⏎Naam: {person}⏎Adres: {street}, {town}⏎Geboortedatum: {date}
{person}⏎{job}⏎{town}
## nl work
!WERKERVARING⏎*{year} – heden→{job}, {company}⏎Taken: {topic}
!Loopbaan⏎*{month} {year} - {month} {year} {company}
## nl school
!OPLEIDINGEN⏎{year}–{year} HBO {subject}, Hogeschool {town} (diploma behaald)
!Opleiding⏎WO {subject}, Universiteit {town}, {year}
## nl skills
!VAARDIGHEDEN⏎{skill}, {skill}⏎Talen: Nederlands (moedertaal), Engels (vloeiend)⏎Rijbewijs B
!Hobby's⏎Schaatsen, lezen
## pt head
!CURRICULUM VITAE⏎{person}⏎{street}, {town}⏎{email}
{person}⏎Brasileiro, solteiro, {n}{n} anos⏎{phone}
## pt work
{year} - presente, {job}, {company}; {year} - {year}, {company}
!EXPERIÊNCIA PROFISSIONAL⏎*{year} – atualmente→{company}⏎Cargo: {job}⏎Principais atividades: {topic}
!Histórico profissional⏎*{month} {year} a {month} {year}: {job}, {company}
## pt school
!FORMAÇÃO ACADÉMICA⏎{year} Licenciatura em {subject}, Universidade de {town}
!Escolaridade⏎Ensino secundário completo, {town} {year}
## pt skills
!COMPETÊNCIAS⏎Idiomas: inglês avançado, espanhol intermediário⏎{skill}, {skill}
!Cursos complementares⏎{skill} ({year})⏎Carta de condução B
`;
