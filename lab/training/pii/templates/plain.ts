/** Lines without personal data, many with capitals and numbers that resemble it. See fill.ts for the slots. */
export const plain = `
{sent}
{sent} {sent}
{sent} {sent} {sent}
{Head}
{Head}: {sent}
{Head}⏎{sent}
{Head}⏎⏎{sent} {sent}
{num}. {Head}
Chapter {n}: {Head}
Section {n}.{n} {Head}
{n}.{n} {Head}⏎{sent}
{song}
"{song}"
{song} - {song}
I really like the song "{song}".
The movie {song} was {adj}.
Have you read {song}?
{law} applies to all {nouns}.
Under {law}, the {noun} must be {adj}.
as required by {law}
Subject: {Head}
RE: {Head}
FW: {Head}
Click {ui} and then {ui}.
Open the {ui} menu and choose {ui}.
Press Ctrl+C to copy.
{ui} | {ui} | {ui}
{ui}⏎{ui}⏎{ui}
Error {num}: {Head}
ERROR: {noun} not found
WARNING: the {noun} is {adj}
Note: {sent}
NOTE: {sent}
Total: {amt}
Subtotal {amt}⏎VAT 20% {amt}⏎Total {amt}
Qty Description Price⏎{n} {prod} {amt}⏎{n} {prod} {amt}
{n} x {prod} {amt}
Item no. {id}, {prod}, {amt}
Invoice no. {id} of {date}
Order {id} was shipped on {date}.
Payment is due within {n} days.
Payment received on {date}, thank you.
Please find attached the {Noun} for {month}.
Please find the minutes of the meeting attached.
The meeting is on {day}, {date}, at {time}.
See you on {day}!
Happy New Year!
Merry Christmas and a Happy New Year!
Good morning!
Good afternoon everybody,
Hello everyone,
Dear all,
Dear customer,
Dear Team,
Dear Hiring Manager,
Hi there,
Hi all,
Hi team,
Thanks in advance!
Thank you very much for your {noun}.
Kind regards
Best wishes
Sincerely yours
Sent from my phone
My card {card} does not work.
my credit card {card} was declined, why?
Block card {card}, please.
What is the limit of my card?
CAN I GET A REFUND PLEASE
WHY IS MY {noun} NOT {adj}???
THIS IS A TEST
How do I change my {noun}?
How do I reset my password?
What documents do I need to open an account?
Where can I find my {noun}?
When will the {noun} be {adj}?
Can you help me with my {noun}?
Could you send me the {noun} by e-mail?
I forgot my PIN.
My PIN is {n}{n}{n}{n}.
My SSN is {ssn}.
My phone number is {phone}, call me after {time}.
My e-mail is {email}.
Write to {email} or visit {url}.
{url}
{email}
{phone}
{date}
{card}
{iban}
Send it to {iban}.
the last transfer to {iban} was {amt}
IP address: {ip}
The server {ip} does not answer.
I was born on {date}.
born {date}
He turned {age} in {month}.
She is {age} years old.
{age} years old
I am {age}.
{day}, {date}
{month} {n}
in the {n}0s
January, February and March
Monday to Friday from 9 to 5
Opening hours: Mon-Fri 9:00-17:00, Sat 10:00-14:00
All rights reserved.
Copyright 2019. All Rights Reserved.
Terms and Conditions apply.
Privacy Policy | Terms of Use | Contact Us
Table of Contents
Executive Summary
Introduction⏎{sent} {sent}
Conclusion⏎{sent}
References
Appendix A
Table {n}: {Head}
Figure {n}. {sent}
Page {n} of {n}
Confidential
DRAFT
APPROVED
Frequently Asked Questions
Yes
No
N/A
none
Drama, Comedy, Romance
Action, Adventure, Science Fiction, Horror
Rock, Pop, Jazz, Classical
Rated {n} out of 10.
{n} stars: {sent}
One of the {adj} {nouns} I have ever seen. {sent}
Not as {adj} as I hoped. {sent}
Long live the {noun}
Oh my God, the {noun} is {adj}!
Heaven knows why the {noun} was {adj}.
You and me against the {noun}
Love is a {noun}, love is a {noun}
Baby, the {noun} is {adj} tonight
In the beginning the {noun} was {adj}.
If you love the {noun}, let it go.
Put the {noun} in the oven at {n}0 degrees.
Add {n} grams of {noun} and mix well.
Blood pressure 120/80, pulse {n}{n}.
Diagnosis: {noun}, chronic.
Medication: {prod} {n} mg
Allergies: none known
Temperature {n} degrees
The warranty covers {n} years.
This policy covers {nouns} and {nouns}.
The Supplier shall deliver the Goods to the Customer.
The Parties agree that this Agreement is {adj}.
"Confidential Information" means any {noun} of the Disclosing Party.
The Company may end this Agreement with {n} days' notice.
IN WITNESS WHEREOF, the Parties have signed this Agreement.
WHEREAS the Seller owns the {Noun};
NOW, THEREFORE, the Parties agree as follows:
The Board of Directors approved the Annual Report.
The Human Resources Department will contact you.
The {dept} team will answer within {n} days.
Contact {dept} for help.
Our {dept} is {adj}.
Name:
Address:
Signature:
Date of birth: {date}
Full name⏎Street⏎City⏎Zip code
First name, last name, address, phone number
Title, First Name, Last Name
Please enter your first name and last name.
Enter your street and house number.
Please tell us your address and your zip code.
Please verify your name and address.
Customer number: {id}
Account number {id}
Reference: {id}
Policy number {id}
Driver license {id}
my license number is {id}
Flight LH{n}{n}{n}, gate B{n}, seat {n}A
Model: {id}⏎Serial number: {id}
Part {id}, size {n} x {n} cm
Size: Large, Color: {adj}
Color: Red⏎Size: M⏎Quantity: {n}
Status: Open⏎Priority: High⏎Type: Bug
The {prod} is available in Red, Blue and Green.
Our {prod} costs {amt}.
I bought a {prod} for {amt}.
Windows, Linux and Android are supported.
Python, Java and JavaScript
Version {n}.{n} of the {Noun} is out.
The {Noun} is {adj}.
The {Noun} and the {Noun}
{Noun}: {adj}⏎{Noun}: {adj}
{Noun} {n}
{n} {nouns} were {adj}
{n}{n}{n}{n}{n} units were sold.
About {num} {nouns} were {adj} in 2014.
In 2003, {sentc}
Yesterday the {noun} was {adj}.
Suddenly, {sentc}
However, {sentc}
Unfortunately, {sentc}
Moreover, {sentc}
If {sentc} Then {sentc}
Why not? Because {sentc}
Absolutely! {sent}
What's the {noun}? It's a {noun}!
Don't be {adj}. I'm {adj}.
I'd like a {noun}, please.
Internet, TV and Phone
Mother's Day is in May.
World War II ended in 1945.
the Second World War
the Olympic Games
The Sun is {adj}.
Earth, Mars and Jupiter
Spring is here.
Big {noun}, small {noun}
ABC
USB, HDMI, VGA
The PDF has {n} pages.
FAQ
ASAP
Re: your {noun}
PS: {sent}
???
{n}⏎{n}⏎{n}
{n}, {n}, {n}
- {sent}⏎- {sent}
* {noun}⏎* {noun}⏎* {noun}
1. {sent}⏎2. {sent}
To Do: {sent}
{Noun}, {Noun} and {Noun}
{secret}
{secret}, {secret}
{Noun} number: {secret}
Passport no. {secret}
Tax ID {secret}
NIF {secret}
SIN: {secret}
Social security number {secret}
my social security number is {secret}
Insurance number: {secret}⏎Reference: {secret}
Medicare card {secret}
BIC {secret}⏎IBAN {iban}
SWIFT: {secret}
MAC address {secret}
Wallet {secret}
Key: {secret}
serial {secret}, model {secret}
The code is {secret}.
ID card {secret}, valid until {date}
NHS number {secret}
Account {secret}, sort code 20-00-{n}{n}
{acr}
the {acr} is {adj}
The {acr} did not {verb} the {noun}.
{acr} and {acr} {nouns}
a new {acr} {noun}
{Noun} {acr}: {n}{n}{n}
Use {acr} or {acr} to {verb} the {noun}.
How does an {acr} work?
\`{noun}\` · \`{noun}_{noun}\` · \`{Noun}{Noun}\`
{n}{n}{n} \`{noun}_{noun}\`, {n}{n}{n} \`{noun}_{noun}\`
a {adj} {orgword}
The {orgword} of {nouns} is {adj}.
Every {orgword} needs {nouns} and {nouns}.
our {adj} {orgword} and {orgword} {nouns}
Some {orgword} {nouns} are {adj}.
(a) the {noun}; (b) the {noun}; (c) {nouns}
a) {noun} b) {noun} c) {noun}
a. {sent}⏎b. {sent}⏎c. {sent}
i) {sent} ii) {sent}
(c) {num} {sent}
"{Noun}" means {sentc}
The "{Noun} {Noun}" of a {noun} means {sentc}
the {Noun} and any {Noun} of the {Noun}
Hello {Noun}!
Hi {Noun},
Hello World
Dear {Noun},
Dear Customer Service,
Dear Support Team,
Thanks, Support
`;
