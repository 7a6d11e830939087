/** See ../grammar.ts for the format. */
export const email = `
## en head
From: {person} <{email}>⏎To: {person} <{email}>⏎Date: {date} {time}⏎Subject: {topic}
From: {person}⏎Sent: {date} {time}⏎To: {person}; {person}⏎Cc: {person}⏎Subject: RE: {topic}
{topic}⏎{person} <{email}>→{date} at {time}⏎To: {email}
Subject: Fwd: {topic}⏎Date: {date} {time}⏎From: {email}⏎To: {email}
Message-ID: <{id}@{url}>⏎Date: {date} {time} +0100⏎From: {email}⏎To: {email}⏎Subject: {topic}⏎Content-Type: text/plain
To: {email}⏎Subject: {topic}
Inbox - {topic}⏎from {person} to me, {first}⏎{date}, {time}
## en salute
Hi {first},
Hi all,
Hello {first},
Dear {first},
{first},
Hey team,
Good morning,
## en body
thanks for your order! We packed it this morning (order {id}). Track your parcel: https://{url}/{num}
Your appointment on {date} at {time} is confirmed. Need to change it? Reply to this message.
i left the keys under the pot. see you {weekday} x
Sure, see attachment. {biz}
does anyone have a spare {product}? {biz}
{biz} {biz}
Quick question about {topic}: {biz}
Please find attached {topic}. {biz}
Just following up on my message of {date}. {biz} {biz}
Thanks for the call yesterday. {biz}⏎- {topic}⏎- {topic}
Can we move the meeting to {time}? {biz}
Your order {id} has been shipped and should reach you by {date}. Track it at {url}
Please reset your password by following this link: {url}. {biz}
As discussed, here is what we need by {date}: {biz}
FYI, see below. {biz}
## en close
Questions? Just hit reply.⏎The {company} team
You are getting this mail because you shopped with us. Unsubscribe here.
/{first}
--⏎{person}⏎{company}
Thanks,⏎{first}
Best,⏎{person}⏎{job} | {company}⏎{phone}
Cheers⏎{first}
Best regards,⏎{person}⏎{company}⏎{url}
Sent from my iPhone
This email and any attachments are confidential. If you are not the intended recipient please delete it.
On {date} at {time}, {person} wrote:⏎> {biz}⏎> {biz}
-----Original Message-----⏎From: {email}⏎Sent: {date}⏎To: {email}⏎Subject: {topic}⏎{biz}
---------- Forwarded message ---------⏎From: {person} <{email}>⏎Date: {date}⏎{biz}
You receive this because you subscribed. Unsubscribe | View in browser
## de head
Von: {person} <{email}>⏎Gesendet: {date} {time}⏎An: {person}⏎Betreff: AW: {topic}
Betreff: {topic}⏎Datum: {date} {time}⏎Von: {email}⏎An: {email}
## de salute
Hallo {first},
Hallo zusammen,
Liebe Kolleginnen und Kollegen,
Guten Tag Herr {last},
## de body
{biz} {biz}
anbei die Unterlagen zu {topic}. {biz}
kurze Frage zu {topic}: {biz}
## de close
Viele Grüße⏎{first}
LG {first}
Am {date} um {time} schrieb {person}:⏎> {biz}
Beste Grüße⏎{person}⏎{company}⏎Tel. {phone}
## fr head
De : {person} <{email}>⏎Envoyé : {date} {time}⏎À : {person}⏎Objet : {topic}
Objet : RE: {topic}⏎De : {email}⏎Date : {date} {time}⏎À : {email}
## fr salute
Bonjour {first},
Bonjour à tous,
Salut {first},
## fr body
{biz} {biz}
Vous trouverez ci-joint {topic}. {biz}
Petite question : {biz}
## fr close
Merci d'avance,⏎{first}
Bonne journée⏎{person}⏎{company}
Le {date} à {time}, {person} a écrit :⏎> {biz}
Envoyé de mon iPhone
## es head
De: {person} <{email}>⏎Enviado el: {date} {time}⏎Para: {person}⏎Asunto: {topic}
Asunto: RV: {topic}⏎Fecha: {date} {time}⏎De: {email}⏎Para: {email}
## es salute
Hola {first}:
Buenos días,
Hola a todos,
## es body
{biz} {biz}
Te adjunto {topic}. {biz}
## es close
Saludos,⏎{first}
Gracias y un saludo⏎{person}⏎{company}
El {date} a las {time}, {person} escribió:⏎> {biz}
## it head
Da: {person} <{email}>⏎Inviato: {date} {time}⏎A: {person}⏎Oggetto: {topic}
Oggetto: I: {topic}⏎Data: {date} {time}⏎Da: {email}⏎A: {email}
## it salute
Ciao {first},
Buongiorno,
Ciao a tutti,
## it body
{biz} {biz}
in allegato {topic}. {biz}
## it close
Grazie,⏎{first}
Un saluto⏎{person}⏎{company}
Il giorno {date} alle ore {time} {person} ha scritto:⏎> {biz}
## nl head
Van: {person} <{email}>⏎Verzonden: {date} {time}⏎Aan: {person}⏎Onderwerp: {topic}
Onderwerp: RE: {topic}⏎Datum: {date} {time}⏎Van: {email}⏎Aan: {email}
## nl salute
Hoi {first},
Beste allemaal,
Goedemorgen {first},
## nl body
{biz} {biz}
In de bijlage {topic}. {biz}
## nl close
Groet,⏎{first}
Alvast bedankt!⏎{person}⏎{company}
Op {date} om {time} schreef {person}:⏎> {biz}
## pt head
De: {person} <{email}>⏎Enviado: {date} {time}⏎Para: {person}⏎Assunto: {topic}
Assunto: ENC: {topic}⏎Data: {date} {time}⏎De: {email}⏎Para: {email}
## pt salute
Olá {first},
Bom dia,
Boa tarde {first},
## pt body
{biz} {biz}
Segue em anexo {topic}. {biz}
## pt close
Obrigado,⏎{first}
Abraço⏎{person}⏎{company}
Em {date} às {time}, {person} escreveu:⏎> {biz}
`;
