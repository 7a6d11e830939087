/** Longer sentences with personal data. See fill.ts for the slots. */
export const mixed = `
When I called last week, a lady named {F} told me that the refund to {P} had already been sent.
I'm writing on behalf of my father, {TP}, who is {age} and can no longer use a computer.
Since {F} left for {C}, nobody in the {dept} team knows how the {noun} works.
Could you check with {F} or {F} whether the flat in {ST} is still free?
We would like to invite you, {T} {L}, to our yearly dinner in {C} on {date}.
If you are ever in {C}, come and see us at {A}.
It was {F}'s idea to paint the kitchen, but {F} did all the work.
{F}'s dog ran off and was found near {ST}.
{F}'s brother moved in with {F} and {F}.
{F}'s school is in {C}.
{F}'s mother, {P}, is a {J}.
the {noun} of {F}'s sister is {adj}
{F}'s {noun} is {adj}, but {L}'s {noun} is not.
{F}'s {noun}
{O}'s {noun} is {adj}.
{C}'s {noun} is {adj}.
{N} {nouns} are {adj}, said {F}.
My friend {F}, who used to work for {O}, thinks that {sentc}
The last time {L} came to {K}, {sentc}
In an interview with {O}, {P} said: "{sent}"
"{sent}" {P} told {O} on {day}.
{P} tells {O} why {sentc}
{P} on {adj} {nouns}: "{sent}"
Singer {P} cancelled all concerts in {K} after an illness.
Author {P} will read from her new novel at {O} in {C}.
Actor {P} plays a {J} in the series.
Director {P} filmed in {C} and {C}.
Coach {L} was not happy with the team's start in {C}.
Striker {P} moves from {O} to {O} for {amt}.
President {L} met Chancellor {L} in {C}.
Senator {L} from {S} voted against the bill.
Judge {P} adjourned the trial of {P}.
Detective {L} questioned {P} and {P} about the robbery at {ST}.
Professor {P} of {O} won a prize for {adj} {nouns}.
Sister {F} teaches at {O}.
Uncle {F} and Aunt {F} are coming from {C} for Easter.
Grandma {F} was born in {C}.
Little {F} drew a {noun} for {F}.
Poor {F}! {sent}
Dear old {F}, {sentc}
"{F}, come here!" shouted {F}.
"Is that you, {F}?" - "No, it's {F}."
{F}! {F}! Where are you?
Come on, {F}, let's go to {C}!
Don't worry, {F}.
Wow {F}, you look great!
My {adj} friend {F} lives in {C} with {n} cats.
{F} is {age} years old and lives in {C}.
{F} was only {age} when {F} was born.
{P}, {age}, {C}: "{sent}"
{P} is a {age}-year-old {J} from {C}, {K}.
{P} is {adj}.
{P} was {adj} when the {noun} came.
{P} has been {adj} since {month}.
{P} can {verb} the {noun}.
{P} and his {noun} were in {C}.
{P} sold his {noun} to {P} for {amt}.
{P} gave {P} a {noun}.
{P} wrote {song} and {song}.
{P} - {song}
{P}: {song} ({O}, 2006)
{song} (feat. {P})
{song} was sung by {P} in {C} in 1987.
The lyrics of {song} are by {P}, the music by {P}.
The actors {P} and {P} are married.
Guests of the show: {P}, {P} and {P}.
With {P}, {P}, {P} a.o.
Photo: {P}/{O}
Text: {P} Photos: {P}
By {P}
by {P}, {O}
By {P}, {C}, {date}
Story by {P}
Translated by {P}
posted by {P} on {date}
In memory of {P}, 1931-2019
We mourn {P}.
Congratulations to {P} on the new job at {O}!
Please welcome {P}, our new {J}.
Meet {P}, {J} at {O}.
{P} (right) with {P} of {O} in {C}
Left to right: {P}, {P}, {P}
{O} is hiring {nouns} in {C}, {C} and {C}.
{O} is a company that makes {adj} {nouns}.
{O} is a {adj} {noun} for {nouns}.
{O} helps {nouns} to {verb} {nouns}.
{O} was founded in {C} by {P} and {P}.
{O} won a {noun} award for its {adj} {noun}.
{O} has {num} employees in {n} countries.
{O} does not {verb} {nouns}.
{O} can {verb} your {noun}.
{O} and its {nouns} are {adj}.
{O}: {sent}
{O} | {Head}
{Head} - {O}
At {O} we believe that {sentc}
Here at {O}, {sentc}
Since {month}, {O} has been {adj}.
Did you hear that {O} closed its shop in {C}?
Do you work at {O}?
Does anybody know a good {J} in {C}?
I bought it from {O} last year.
I got a job at {O}!
I saw it on {O}.
I switched from {O} to {O} because {sentc}
my internship at {O} in {C} was {adj}
My first employer was {O} in {C}, where I was a {J}.
My {noun} was made by {O}.
Our partners: {O}, {O}, {O}
Clients include {O}, {O} and {O}.
Powered by {O}
a division of {O}
© 2021 {O}
The loan from {O} is {adj}.
The {O} website is {adj}.
the {O} building in {C}
an {O} employee
two former {O} managers
every {O} customer
{O}-owned {nouns}
The flight was operated by {O} from {C}.
{J} at {O}
{JC}, {O}, {C}
{JC} {P}
{JC}: {P}
Our {J} {P} will help you.
Her father was a {J}, her mother a {J}.
He quit his job as a {J} and became a {J}.
To become a {J} you need a degree.
Ask your {J} first.
I need to speak to a {J}.
We need a {J} in {C}, says {P}.
He is half {N}, half {N}.
She has a {N} father and a {N} mother.
{N}, {N} and {N} students came to {C}.
the {N}s lost against the {N}s
a {N} restaurant in {C}
our {N} friends {F} and {F}
{N} citizen, {age}, married
I'm {N} but I live in {K}.
Is he {N} or {N}?
the first {N} to climb it
{N} wines and {N} cheese
Most {N} people like {nouns}.
northern {K}
East {S}
The capital of {K} is {C}.
Welcome to {C}!
Welcome to {K}, {F}!
Live from {C}: {Head}
{C}-based {O}
the {C} office
the {C} region
the {C} marathon
old {C}
downtown {C}
somewhere between {C} and {C}
{C} or {C}?
Hotels in {C}
Made in {K}
Printed in {K}
product of {K}
{K} 2019
{K}, {date}
{K}: {sent}
{K}'s economy is {adj}.
Weather for {C}: {adj}
Return ticket {C} - {C}, {amt}
{C} → {C} → {C}
{C}/{C}
{C} ({K})
In {C} you can {verb} {adj} {nouns}.
In {C} every {noun} is {adj}.
I love {C}!
I hate {C}.
i miss {C}
going to {C} tomorrow
flying {C} to {C} with {F}
I was born and raised in {C}.
i was born in {C}, {K} on {date}
The people of {K} are {adj}.
Never been to {K}.
{K} is {adj}.
{C} is {adj}.
{C}, the {adj} {noun} of {K}, is {adj}.
The parcel for {P} is at the shop in {ST}.
Between {ST} and {ST} the road is closed.
The corner of {ST} and {ST} is {adj}.
We met at {ST} in front of {O}.
{O} is at {ST}.
The {noun} at {ST} is {adj}.
the house in {ST} where {P} was born
Her last known address was {A}.
His address is {A} and his phone number is {phone}.
their old flat was {A}
The registered address of {O} changed to {A}.
Please note our new address: {A}
Our address: {A}
from: {A} to: {A}
located at {A}
We are at {A}, call {phone}.
I want to change my address from {A} to {A}
please ship my {prod} to {P}, {A}
{P} lives at {A}
{P}, {A}, {phone}
{P} of {A} was fined {amt}.
{P}, residing in {C} at {ST}, and {P}, residing in {C} at {ST}
{ST}, {C}
{ST}, {C}, {K}
{ST} {Z} {C}
{ST}⏎{Z} {C}⏎{K}
{U}, {ST}, {C}
{Z} {C}
{C} {Z}
{C}, {S} {Z}
{C} {Z}, {K}
is {Z} in {C}?
deliver to {Z} {C}
{T} {F}
{T} {F} and {T} {F}
Ask {T} {F}.
I spoke to {T} {F} about it.
{P}⏎⏎{JC}
{P}⏎⏎{JC}⏎⏎{phone}
{P}⏎{JC}⏎{Head}
{P}, {J}, {phone}, {email}
{comment} {P} can {verb} it.
{comment}⏎{P}
{comment}⏎⏎{P}, {O}, {C}
{L} and {L} are {adj}.
{L} gave {L} the {noun}: {A}
`;
