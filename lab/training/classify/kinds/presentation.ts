/** See ../grammar.ts for the format: a fragment is a slide. */
export const presentation = `
## en slides
{topic}⏎{topic}⏎{topic}⏎{n} / {n}{n}
!Why {topic}⏎Fast⏎Safe⏎{n}{n} people⏎{n}
!{topic} in three steps⏎1 {topic}⏎2 {topic}⏎3 {topic}⏎{email}
{company}⏎We help people with {topic}⏎{n}x in {n} months⏎{cur}{n}M ARR⏎Raising {cur}{n}M
!What we do today⏎Review⏎Break⏎{topic}⏎Wrap-up⏎{company} | {month} {year} | {n}
!Day one⏎{topic}⏎!Day two⏎{topic}
!Myth→Fact⏎{topic}→{topic}
!Before→After⏎{n}{n} hours→{n} hours
!Discussion⏎What worked for you?⏎What would you change?
!{topic}⏎{person}⏎{date}
!Agenda⏎• {topic}⏎• {topic}⏎• {topic}⏎• Q&A
!Who we are⏎{n}{n} people⏎{n} countries⏎Founded in {year}
!The problem⏎• {topic} is slow⏎• {topic} is expensive
!Our solution⏎One platform for {topic}⏎Simple. Fast. Secure.
!Market opportunity⏎{cur}{n}{n}bn by {year}⏎+{n}{n}% CAGR
!Roadmap⏎Q1 {topic}⏎Q2 {topic}⏎Q3 {topic}⏎Q4 {topic}
!Key takeaways⏎1. {topic}⏎2. {topic}⏎3. {topic}
!Next steps⏎– {topic}⏎– {topic}⏎– follow up by {date}
!Thank you!⏎Questions?⏎{email}
!SWOT⏎Strengths→Weaknesses⏎{topic}→{topic}⏎Opportunities→Threats⏎{topic}→{topic}
!Results at a glance⏎{n}{n}% growth⏎{num} users⏎NPS {n}{n}
!{topic}⏎• {topic}⏎• {topic}⏎  – {topic}⏎• {topic}⏎{company}→{n}
!Learning objectives⏎After this session you will be able to:⏎• explain {topic}⏎• apply {topic}
!Meet the team⏎{person}→{person}→{person}⏎CEO→CTO→CFO
!Case study: {company}⏎Challenge→Approach→Outcome⏎{topic}→{topic}→{topic}
!Why {topic}?⏎• {topic}⏎• {topic}
!Lessons learned⏎What went well⏎What did not⏎What we will change
!Architecture⏎{topic} → {topic} → {topic}
!Workshop: {topic}⏎Part {n}
!Timeline⏎{month}: kick-off⏎{month}: pilot⏎{month}: launch
"{topic}"⏎— {person}
## de slides
!Was uns heute erwartet⏎Begrüßung⏎{topic}⏎Pause⏎Ausblick⏎{company} | {month} {year} | {n}
!Rückblick⏎{topic}⏎{n}{n} % mehr⏎{n}
!Zahlen auf einen Blick⏎{num} Kunden⏎{n}{n} Standorte
!{topic}⏎{person}⏎{town}, {date}
!Agenda⏎• {topic}⏎• {topic}⏎• Diskussion
!Ausgangssituation⏎• {topic}⏎• {topic}
!Unsere Ziele⏎1. {topic}⏎2. {topic}
!Nächste Schritte⏎• {topic} bis {date}⏎• {topic}
!Vielen Dank für Ihre Aufmerksamkeit!⏎Fragen?
!Meilensteine⏎{month} {year}: {topic}⏎{month} {year}: {topic}
!{topic}⏎• {topic}⏎• {topic}⏎Folie {n}
!Vorteile→Nachteile⏎{topic}→{topic}
## fr slides
!À retenir⏎{topic}⏎{topic}⏎{n}/{n}{n}
!Avant→Après⏎{topic}→{topic}
!{topic}⏎{person}⏎{date}
!Sommaire⏎1. {topic}⏎2. {topic}⏎3. {topic}
!Le constat⏎• {topic}⏎• {topic}
!Notre solution⏎• {topic}⏎• {topic}
!Prochaines étapes⏎– {topic}⏎– {topic}
!Merci de votre attention⏎Questions ?
!Chiffres clés⏎{n}{n} %⏎{num} clients
!L'équipe⏎{person}⏎{person}
## es slides
!En resumen⏎{topic}⏎{topic}⏎{n}/{n}{n}
!Antes→Después⏎{topic}→{topic}
!{topic}⏎{person}⏎{date}
!Contenido⏎• {topic}⏎• {topic}⏎• {topic}
!El problema⏎• {topic}
!Objetivos⏎• {topic}⏎• {topic}
!Próximos pasos⏎1. {topic}⏎2. {topic}
!¡Gracias!⏎¿Preguntas?
!Puntos clave⏎• {topic}⏎• {topic}
## it slides
!In sintesi⏎{topic}⏎{topic}⏎{n}
!{topic}⏎{person}⏎{date}
!Indice⏎• {topic}⏎• {topic}⏎• {topic}
!Il problema⏎• {topic}
!La nostra soluzione⏎• {topic}⏎• {topic}
!Prossimi passi⏎• {topic}
!Grazie per l'attenzione⏎Domande?
!I numeri⏎{n}{n}%⏎{num} utenti
## nl slides
!Kort samengevat⏎{topic}⏎{topic}⏎{n}
!{topic}⏎{person}⏎{date}
!Inhoud⏎• {topic}⏎• {topic}⏎• {topic}
!Wie zijn wij?⏎• {topic}
!Doelen⏎• {topic}⏎• {topic}
!Vervolgstappen⏎• {topic}
!Bedankt voor uw aandacht!⏎Vragen?
!Planning⏎{month} {topic}⏎{month} {topic}
## pt slides
!Em resumo⏎{topic}⏎{topic}⏎{n}
!{topic}⏎{person}⏎{date}
!Agenda⏎• {topic}⏎• {topic}⏎• {topic}
!O problema⏎• {topic}
!A nossa solução⏎• {topic}⏎• {topic}
!Próximos passos⏎• {topic}
!Obrigado!⏎Perguntas?
!Resultados⏎{n}{n}%⏎{num} clientes
`;
