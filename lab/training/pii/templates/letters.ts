/** Sentences of letters, chats, calls and tickets. See fill.ts for the slots. */
export const letters = `
I live at {A}.
I live in {C}, {K}, and work for {O}.
I moved from {C} to {C} last {month}.
we just moved to {A}, please update the file
My new address is {A} as of {date}.
Please send the parcel to {A}.
Please forward all mail to {A} until further notice.
Could somebody collect the sofa from {A} on {day}?
The keys are with the neighbour at {ST}.
Our shop is at {ST} in {C}, right next to the station.
You can visit us at {ST}, {C}.
The office at {A} will close on {date}.
Meet me at {ST} at {time}.
The technician will come to {ST}, {U} between {time} and {time}.
My name is {P}.
My name is {P} and I am writing about order {id}.
Hi, this is {P} from {O}.
Hello, {F} here, I have a question about my {noun}.
i'm {P}, i live in {C}
I am {P}, {age} years old, from {C}.
This is {T} {L} speaking, how can I help?
Is {F} there?
Can you ask {T} {L} to call me back on {phone}?
Tell {F} and {F} that the meeting was moved to {day}.
{F}, could you look at this before {day}?
Thanks {F}, that solved it.
Thank you, {T} {L}.
Please transfer {amt} to {P}, IBAN {iban}.
The account {iban} belongs to {P} at {O}.
I would like to add {P} to my policy, born {date}.
My wife {F} and my son {F} are also covered.
My husband's name is {P}.
My mother, {P}, was born in {C} in 1952.
My colleague {P} will send you the papers.
My lawyer, {P} of {O}, advised against it.
My boss {F} told me to ask you.
I spoke with {F} from your {dept} team on {date}.
I spoke to a {N} agent named {F}.
I talked to {T} {L} in {dept} and she promised a refund.
The card {card} was issued to {P}.
Your agent {P} was very helpful.
The driver, a {N} man called {F}, left it with {P} at {ST}.
The package was signed for by {L}.
I never ordered the {prod} from {O}.
I work at {O} as a {J}.
I have been a {J} at {O} since {date}.
I'm a {J} from {C}.
She works as a {J} in {C}.
He is a {N} {J}.
She is {N}.
We are {N}, so we need a visa for {K}.
I hold a {N} passport.
As a {G} I do not eat pork.
My parents are {G}.
He was raised {G}.
Do you ship to {K}?
How much is postage to {C}?
When does the train for {C} leave?
I am flying to {C} on {date} and coming back from {C} on {date}.
Is there a branch of {O} in {C}?
is there an atm near {ST}
What is the phone number of {O} in {C}?
Where is {O} located?
{O} charged my account twice.
{O} has not answered since {month}.
I want to complain about {O}.
The invoice from {O} over {amt} is not correct.
Please cancel my contract with {O} as of {date}.
Please change the name on the account from {P} to {P}.
My surname is {L}, not {L}.
It is spelled {L}, with two n.
First name {F}, last name {L}.
The name on the ticket should read {P}.
Book a table for {L} at {time}.
There is a reservation under the name {L}.
I lost my wallet in {C} yesterday.
My car broke down near {C}.
{P} left {O} in {month} and now lives in {C}.
{P} asked whether {O} would sponsor the event in {C}.
{P}'s appointment is on {date} at {time}.
{P}'s phone number is {phone}.
{F}'s birthday is on {date}.
{L}'s office is on the {n}th floor.
{O}'s offices in {C} and {C} are closed on {day}.
{K}'s borders are open again.
The flat at {ST}, {C} belongs to {P} and {P}.
The flat is in {C}, zip code {Z}.
zip {Z}
My zip is {Z} and my phone is {phone}.
Our postcode is {Z}.
Our postal address is {B}.
Send cheques to {B}, {C}.
Write to {P}, {A}.
Please invite {P}, {P} and {P}.
{P} and {P} got married in {C} on {date}.
{F} and {F} say hello from {C}!
Greetings from {C}, {K}!
Happy birthday {F}!
Good luck, {F}!
Sorry {F}, I missed your call.
@{F} can you check?
+1 to what {F} said
lol {F} you were right
ok {F} see you in {C} at {time}
ask {F} {L}, she knows
call {P} asap
Welcome to {O}, {F}!
{P} has joined the conversation.
{P} has shared a file with you.
{P} invited you to {Head}.
{P} accepted your request.
{F} is typing
Assigned to {P} by {P} on {date}.
Reported by {P} ({email}).
Reviewed-by: {P} <{email}>
The user {P} ({email}) logged in from {C}, {K}.
Ticket {id}: {P} cannot open the {noun}.
Customer {P}, {A}, reports that the {noun} is {adj}.
Your order will be delivered to {P}, {A} on {date}.
We have sent the {prod} to {A}.
Our records show that you live at {A}. Is this still right?
We could not deliver to {A} because nobody was home.
Return the {noun} to {O}, {A}.
The nearest shop is {O}, {ST}, {Z} {C}.
Thank you for staying at {O} in {C}.
We hope to see you again in {C} soon.
You have an appointment with {T} {L} at {O} on {date}.
{T} {L} will see you now.
Is {T} {P} in today?
{T} {L} prescribed {prod} for my {noun}.
My doctor, {T} {P}, works at {O}.
Please ask for {F} at reception.
Please contact our {J}, {P}, at {phone} or {email}.
Questions? Contact {P} at {email}.
For details see {url} or ask {P}.
Regards from the whole team at {O}.
I used to study at {O}.
I graduated from {O} in 2009.
My daughter {F} goes to {O} in {C}.
He has a twin brother named {F} who lives in {S}.
I grew up in {S}.
I am from {S}, {K}.
Originally I come from {K}, but I have lived in {C} for {n} years.
Do you know {P}?
Who is {P}?
Have you met {P} from {O}?
Has {P} paid yet?
Why did {F} leave?
When was {P} born?
How old is {P}?
Where does {P} live?
What does {O} sell?
Which country is {C} in?
Is {C} the capital of {K}?
What is the weather like in {C}?
Show me flights from {C} to {C}.
Play something by {P}.
Set a reminder to call {F} on {day}.
add {P} to my contacts
send {amt} to {F}
transfer {amt} from savings to {P}
navigate to {A}
take me to {ST}
directions to {O} {C}
weather {C}
{C} hotels
cheap flights {C} {K}
{P} wikipedia
i need the number of {O} in {C} please
my name is {F} {L} and my birthday is {date}
hello my name is {F} and i would like to close my account
hi im {F} from {C}, is {L} in the office
does {O} deliver to {Z}
can i pay with my {O} card
Is it possible to have my statement sent to {A} instead?
I have not received anything at {A}.
The bank sent my card to my old place, {A}.
`;
