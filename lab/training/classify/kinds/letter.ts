/** See ../grammar.ts for the format. */
export const letter = `
## en head
{company}⏎{street}⏎{town}⏎⏎{date}⏎⏎{person}⏎{street}⏎{town}
{person}⏎{street}⏎{town}⏎{date}
{date}⏎Our ref: {id}⏎Your ref: {num}⏎{person}⏎{company}⏎{street}
{company} Council⏎{street}, {town}⏎Telephone {phone}⏎Date {date}
{date}
PRIVATE AND CONFIDENTIAL⏎{person}⏎{street}⏎{town}⏎{date}
## en salute
My dear {first},
Dear neighbours,
Dear {person}
Dear {honor} {last},
Dear Sir or Madam,⏎RE: {topic}
Dear {first},
To Whom It May Concern:
Dear Sirs,⏎Subject: {topic}
Dear Members,
Dear Hiring Manager,
## en body
I have taught {first} for {n} years and can recommend {first} without hesitation. {biz}
We have received your claim {id} and will pay for the repair. {biz} {biz}
On behalf of the residents of {street} I ask you to consider {topic}. {biz}
The water will be turned off on {date} between {time} and {time}. We apologise for the inconvenience.
How kind of you to write. {biz} {story} We shall be in {town} on {date} and hope to see you.
I have considered your complaint against {company}. In my view {biz} You have until {date} to comment.
My {n}-year-old was away from school because of a cold. {biz}
You are required to attend on {date}. {biz} If you do not reply we shall decide without you.
I am writing with regard to {topic}. {biz} {biz}
Thank you for your letter of {date} concerning {topic}. {biz}
We are pleased to inform you that your application has been accepted. {biz} {biz}
I wish to complain about the {product} that I bought on {date}. {biz} {biz}
We regret to tell you that we cannot offer you the position of {job}. {biz}
I write to resign from my position as {job} with effect from {date}. {biz}
{biz} {biz} {biz}
Please accept my apologies for the delay. {biz} {biz}
I would like to apply for the position of {job} advertised on {date}. I have worked for {n} years at {company}. {biz}
It was lovely to see you all in {month}. {biz} {biz}
Our records show that the sum of {cur}{amt} is still outstanding on your account {num}. {biz}
I recommend {person}, who worked with me as {job} from {year} to {year}. {biz} {biz}
## en close
Your loving {first}
Yours ever,⏎{first}
For and on behalf of {company}⏎{person}⏎{job}
Yours sincerely,⏎⏎{person}⏎{job}
Yours faithfully,⏎{person}⏎Encl.
Sincerely,⏎{person}⏎{company}
Kind regards⏎⏎{person}
I look forward to hearing from you.⏎Respectfully yours,⏎{person}
With love from us all,⏎{first}
If you have any questions please do not hesitate to contact me.⏎Yours truly,⏎{person}⏎cc: {person}
## de head
{company}⏎{street}⏎{town}⏎⏎{person}⏎{street}⏎{town}⏎{town}, den {date}
{person} · {street} · {town}⏎Telefon {phone}⏎{date}
Ihr Zeichen: {id} Unser Zeichen: {num}⏎{town}, {date}⏎Betreff: {topic}
Einschreiben⏎{person}⏎{street}⏎{town}
## de salute
Sehr geehrte Damen und Herren,
Sehr geehrter Herr {last},
Liebe Frau {last},
Sehr geehrte Frau {last},
## de body
für die Bearbeitung Ihres Antrags benötigen wir noch Unterlagen. Bitte reichen Sie diese bis {date} nach. {biz}
am {weekday} feiern wir unser Jubiläum. {biz} {story}
hiermit kündige ich meinen Vertrag Nr. {num} fristgerecht zum {date}. {biz}
vielen Dank für Ihr Schreiben vom {date}. {biz} {biz}
wir freuen uns, Ihnen mitteilen zu können, dass Ihr Antrag bewilligt wurde. {biz}
mit großem Interesse habe ich Ihre Stellenanzeige gelesen. {biz} {biz}
leider müssen wir Ihnen mitteilen, dass sich die Lieferung verzögert. {biz}
{biz} {biz} {biz}
## de close
Mit freundlichem Gruß⏎Im Auftrag⏎{last}
Herzliche Grüße von uns allen⏎{first} und {first}
Mit freundlichen Grüßen⏎⏎{person}⏎{job}
Hochachtungsvoll⏎{person}⏎Anlagen
Freundliche Grüße aus {town}⏎{person}
Für Rückfragen stehen wir Ihnen gern zur Verfügung.⏎i. A. {person}
## fr head
{person}⏎{street}⏎{town}⏎⏎{company}⏎{street}⏎{town}⏎{town}, le {date}
{company}⏎{town}, le {date}⏎Objet : {topic}⏎Nos réf. {id}
Lettre recommandée avec accusé de réception⏎{town}, le {date}
## fr salute
Madame, Monsieur,
Cher Monsieur {last},
Madame la Directrice,
Chère Madame,
## fr body
Mon fils a été absent du {date} au {date}. {biz}
Vous trouverez sous ce pli le document demandé. {biz} {biz}
Par la présente, je vous informe de ma décision de résilier mon abonnement n° {num}. {biz}
Suite à votre courrier du {date}, {biz} {biz}
Je me permets de vous adresser ma candidature au poste de {job}. {biz}
J'ai l'honneur de solliciter {topic}. {biz}
{biz} {biz} {biz}
## fr close
Je vous prie d'agréer, Madame, Monsieur, l'expression de mes salutations distinguées.⏎{person}
Dans l'attente de votre réponse, veuillez agréer mes sincères salutations.⏎{person}⏎P.J. : {n}
Bien cordialement,⏎{person}
## es head
{company}⏎{street}⏎{town}⏎{town}, {date}⏎Asunto: {topic}
{person}⏎{street}⏎{town}⏎⏎{town}, a {date}
## es salute
Estimado Sr. {last}:
Muy señores míos:
Estimada señora {last}:
Querida {first}:
## es body
Les comunicamos que el {date} se procederá a {topic}. Rogamos disculpen las molestias. {biz}
En nombre de los vecinos solicitamos {topic}. {biz}
Por la presente me dirijo a ustedes para comunicarles {topic}. {biz}
Nos complace informarle de que su solicitud ha sido aceptada. {biz} {biz}
En relación con su carta del {date}, {biz}
{biz} {biz} {biz}
## es close
Atentamente,⏎{person}⏎{job}
Sin otro particular, reciba un cordial saludo.⏎{person}
Le saluda atentamente,⏎{person}⏎Adjunto: copia del documento
## it head
{company}⏎{street}⏎{town}⏎{town}, {date}⏎Oggetto: {topic}
Spett.le {company}⏎{street}⏎{town}⏎Raccomandata A/R
## it salute
Gentile Signora {last},
Egregio Dottor {last},
Spettabile Ditta,
Caro {first},
## it body
A nome dei residenti Le chiediamo {topic}. {biz} {biz}
con la presente comunico la disdetta del contratto n. {num}. {biz}
in riferimento alla Vostra lettera del {date}, {biz} {biz}
siamo lieti di comunicarLe che la domanda è stata accolta. {biz}
{biz} {biz} {biz}
## it close
Distinti saluti⏎{person}
In attesa di un Vostro riscontro, porgo cordiali saluti.⏎{person}⏎Allegati: {n}
Con osservanza,⏎{person}
## nl head
{company}⏎{street}⏎{town}⏎{town}, {date}⏎Betreft: {topic}
{person}⏎{street}⏎{town}⏎⏎Ons kenmerk {id}⏎{date}
## nl salute
Geachte heer {last},
Geachte heer, mevrouw,
Beste {first},
## nl body
Hierbij zeg ik mijn abonnement {num} op per {date}. {biz}
Naar aanleiding van uw brief van {date} delen wij u het volgende mee. {biz} {biz}
Met veel belangstelling las ik uw vacature voor {job}. {biz}
{biz} {biz} {biz}
## nl close
Met vriendelijke groet,⏎{person}⏎{job}
Hoogachtend,⏎{person}⏎Bijlage: {n}
In afwachting van uw reactie,⏎{person}
## pt head
{company}⏎{street}⏎{town}⏎{town}, {date}⏎Assunto: {topic}
{person}⏎{street}⏎{town}⏎{date}
## pt salute
Exmos. Senhores,
Prezado Sr. {last},
Cara {first},
## pt body
Vimos, em nome dos moradores, solicitar {topic}. {biz} {biz}
Informamos que no dia {date} não haverá água. {biz}
Venho por este meio comunicar {topic}. {biz}
Em resposta à sua carta de {date}, {biz} {biz}
Temos o prazer de informar que o seu pedido foi aceite. {biz}
{biz} {biz} {biz}
## pt close
Com os melhores cumprimentos,⏎{person}
Atenciosamente,⏎{person}⏎{job}
Ficamos ao dispor para qualquer esclarecimento.⏎{person}⏎Anexos: {n}
`;
