/** Sentences of news, contracts, medicine, human resources, biographies, reviews. See fill.ts for the slots. */
export const reports = `
{P}, {JC} of {O}, said on {day} that {sentc}
{P}, a {J} at {O}, said the {noun} had been {adj}.
{P}, {age}, of {C}, was arrested on {day}.
{P}, who lives in {C}, won the {adj} {noun} in {month}.
{P} was appointed {J} of {O} on {date}.
{O} named {P} as its new {J}.
{O} announced on {day} that it would buy {O} for {amt}.
{O}, based in {C}, makes {nouns} for the {N} market.
{O} opened an office in {C}, {K}, in {month}.
{O} and {O} signed a contract worth {amt}.
{O} reported sales of {amt} for the quarter.
{O} shares fell {n} percent after {P} resigned.
{C} ({O}) - The {noun} was closed on {day}.
{C}, {K}: {sent}
The {N} government rejected the proposal of {O}.
The {N} president met his {N} counterpart in {C}.
The {N} prime minister, {P}, visited {K} in {month}.
{N} police arrested {n} people in {C}.
{N} and {N} companies compete for the contract in {K}.
A {N} court ruled against {O} in {month}.
A {N} {J} told {O} that {sentc}
Many {N} families moved to {C} in the 1920s.
The {G} community in {C} has its own school.
{G} voters in {S} were surveyed by {O}.
The {G} candidate, {P}, lost by {n} votes.
He joined the {G} party in 1998.
She won {n} medals for {K}.
In {C}, {P} met {P} of {O}.
In {K}, the {noun} is still {adj}.
In {month}, {P} moved to {C}, {S}.
From {C} the road leads to {C}.
The river rises near {C} and reaches the sea at {C}.
The flight from {C} to {C} was delayed by {n} hours.
The train between {C} and {C} stops in {C}.
The earthquake was felt in {C}, {C} and as far as {C}.
The concert in {C} was cancelled, {P} said.
The museum in {C} shows works by {P} and {P}.
The film, directed by {P}, was shot in {C} and stars {P}.
The novel by {P} was translated into {n} languages.
The song was written by {P} and produced by {P}.
The band from {C} played its first concert in {K}.
The album was released by {O} in {month}.
{P} plays the {noun} and {P} sings.
{P} is a {N} {J}.
{P} (born {date} in {C}) is a {N} {J}.
{P} was born on {date} in {C}, {K}.
{P} was born in {C} to {N} parents.
{P} studied at {O} and later taught at {O}.
{P} died in {C} at the age of {age}.
{P} is survived by {F}, {F} and {n} grandchildren.
{P} is married to {P}; they live in {C}.
{P} has worked for {O} since {date}.
{P} joined {O} as a {J} in {month}.
{P} will replace {P} as {J}.
{P} reports to {P}, {J}.
{P} from {O} will speak about {adj} {nouns}.
{P} of {O} gave the opening talk.
{P} and {P} founded {O} in {C}.
{P} thanked {P} for the {noun}.
{P} told {P} that the {noun} was {adj}.
According to {P}, the {noun} is {adj}.
According to {O}, {n} percent of {nouns} are {adj}.
As {P} put it, "{sent}"
"{sent}" said {P}, {J} at {O}.
"{sent}", {L} added.
"{sent}" - {P}
{L} said {sentc}
{L} declined to comment.
{L} and {L} will meet in {C} on {date}.
{T} {L} did not attend.
{T} {P} explained the {noun} to the committee.
{T} {P} and {T} {P} agreed that {sentc}
{T} {L} examined the patient on {date}.
The patient, {P}, a {age}-year-old {N} {J}, was admitted to {O} on {date}.
The patient was seen by {T} {P} at {O}.
The patient lives with {F} in {C}.
The patient's daughter, {P}, was informed by {T} {L}.
Pt {P} transferred from {O} to {O} on {date}.
Seen by {T} {L}. Referred to {T} {L}, {C}.
Discharged home to {A}.
History: {age} y/o {N} male from {C}, works as {J}.
This agreement is made between {O}, {A}, and {P}, {A}.
This Agreement is entered into on {date} by and between {O} ("Supplier") and {O} ("Customer").
The Tenant, {P}, shall pay {amt} to the Landlord, {P}.
The Employee shall perform the duties of {J} at {A}.
The premises at {A} are let to {P}.
The undersigned, {P}, residing at {A}, declares that {sentc}
I, {P}, of {A}, appoint {P} as my executor.
{O}, a company registered in {K} with its seat at {A}
{O}, with its registered office at {A}, represented by {P}, {J}
Represented by its {J}, {P}
The court in {C} heard {P} v. {O} on {date}.
The witness {P} testified that {P} was at {ST}.
The accused, {P}, resident at {A}, denied it.
The accident happened at {ST} in {C} at {time}.
The house at {ST} was sold for {amt}.
The building on {ST} burned down in {month}.
Fire crews were called to {ST}, {C}.
A fire broke out in a flat in {ST}.
Police searched {A}.
The demonstration moved from {ST} to {ST}.
The company moved its headquarters from {C} to {C}.
Our {C} office is hiring a {J}.
Wanted: {J} for our office in {C}.
The applicant, {P}, worked as a {J} at {O} in {C}.
Reference for {P}: {F} worked for us as a {J}.
During her time at {O}, {F} was an excellent {J}.
{F} has been promoted to {J}.
{F} loved the {noun}, but {F} did not.
{F} walked to the {noun} and saw {F}.
{F} and {F} bought a {adj} {noun}.
{F} opened the {noun}. "{sent}"
{F} {L} looked at the {noun} and laughed.
When {F} came home, {F} had left.
After the {noun}, {F} went back to {C}.
Every {day}, {F} drives to {C}.
The teacher, {T} {L}, asked {F} to read.
The {adj} {noun} of {P} is at {O}.
The guests came from {K}, {K} and {K}.
The finals are in {C}, the semi-finals in {C} and {C}.
The score was {n} to {n} for {O}.
{O} beat {O} {n}-{n} in {C}.
{O} signed {P} from {O}.
{L} scored for {O} in the {n}th minute.
{K} won against {K}.
{K} imports {nouns} from {K}.
{K} and {K} share a border.
{K} is a member of {O}.
The ambassador of {K} in {C}, {P}, left.
Travellers from {K} need a visa.
Exports to {K} rose by {n} percent.
Wages in {S} are higher than in {S}.
The state of {S} has {n} counties.
The project is funded by {O}.
The research was supported by {O} and {O}.
The study by {P} et al. ({O}) found that {sentc}
{P} et al. showed that {sentc}
See {L} and {L} (2011) for a review.
The rules of {O} say that {sentc}
Members of {O} get a discount.
Since it was bought by {O}, the {noun} has been {adj}.
With {n} staff, {O} is the largest employer in {C}.
Staff at {O} went on strike.
Founded by {P} in 1931, {O} is the oldest {noun} maker in {K}.
Visitors to {C} should see the {noun}.
Best {nouns} in {C}
{C} is a town in {S}, {K}.
{C} is a village near {C}.
{C} has {num} inhabitants.
The mayor of {C}, {P}, opened the {noun}.
The bishop of {C} is {G}.
{P} performs live in {C} this {day}
{P} speaks at {O} on {date}
Review of {song} by {P}
{song} by {P} is {adj}.
The best track on the record is {song}, sung by {P}.
The singer {P} comes from {C}.
{N} cooking in the middle of {C}
{N} beer is {adj}.
I love {N} food.
The {N} language has many {adj} words.
translated from {N}
The {N} {noun} is {adj}.
He speaks with a {N} accent.
Our guide {F}, a {N} student, showed us {C}.
`;
