/** Natural prose without personal data, for grammar that the other templates lack. */
export const prose = `
We checked your request and will get back to you as soon as the responsible colleague has had a look at it.
I have tried to log in several times today, but the page keeps telling me that something went wrong.
Could you explain why the fee was taken twice although I only made one payment?
The heating has been out of order since last night and it is getting rather cold in here.
Nobody told us that the shop would be closed over the holidays, so we drove there for nothing.
It would be great if you could let me know whether the appointment still stands.
As agreed on the phone, I am sending you the signed copy and a scan of the receipt.
Unless you object within fourteen days, we will take it that you agree with the new terms.
The older version should be removed before you install the new one, otherwise settings may be lost.
Make sure that the cable is plugged in and that the green light is on.
If the problem continues, turn the device off, wait a minute and turn it on again.
Many people believe that sleeping with the window open is healthy, even in winter.
The results are in line with what earlier studies have shown, although the sample was small.
We measured the temperature every ten minutes over a period of three weeks.
There is little evidence that the treatment helps children under the age of five.
Further research is needed before any firm conclusions can be drawn.
Prices went up again last month, mostly because of higher costs for energy and food.
The government wants to lower taxes on fuel, but critics say that would help the rich most.
Investors were relieved that the central bank left interest rates where they were.
After a long winter, farmers are hoping for rain and a mild spring.
The match was decided by a late goal, and the home crowd left disappointed.
Three goals in eleven minutes turned the game around.
What a voice, what a band, what a night!
This is the kind of book you read in one sitting and then lend to all your friends.
The plot is thin and the ending does not make sense, but the pictures are beautiful.
I expected more from a place that calls itself a restaurant.
The room was clean, the bed was soft and breakfast was more than we could eat.
Parking was a nightmare and the staff could not have cared less.
Great value for money, fast delivery, would buy again.
It broke after two weeks and they refuse to take it back.
Whoever designed this remote control has never watched television.
When I was young we had no phone, and nobody missed it.
She looked out of the window and wondered whether it would ever stop raining.
He put the letter back into the drawer and never mentioned it again.
They walked along the beach until it was too dark to see.
"I don't know what you mean," she said, and closed the door.
"Wait," he called, "you forgot your umbrella!"
Once upon a time there was a miller who had three sons and a cat.
All that glitters is not gold, as my grandmother used to say.
Love is not a song you sing once and forget.
I will wait for you where the river bends and the willows weep.
Hold me closer, hold me now, before the night is over.
Oh baby, don't you cry, the morning comes and sorrows die.
Dance with me under the silver moon, tomorrow comes too soon.
To make the dough, mix the flour with the yeast, the salt and half of the water.
Let the soup simmer for twenty minutes and season it with pepper.
Serve warm with a spoon of cream and fresh herbs.
Dogs and cats, horses and cows, sheep, goats, pigs, geese and ducks live on the farm.
Lions, zebras, giraffes, elephants and hippos drink at the same water hole.
Eagles and owls hunt mice, rabbits and small birds.
Guitar, bass, drums, piano, violin, trumpet and voice are taught.
Apples, pears, plums and cherries grow in the garden behind the house.
The set comes in blue, green, yellow, orange, purple, black or white.
Red, green and blue light together make white.
Gold, silver and copper have been used as money for a long time.
Your password has to have at least eight letters, one digit and one special sign.
For security reasons we will never ask you for your password or your code.
This message and its attachments are confidential and meant only for the person they are sent to.
If you have received this e-mail by mistake, please delete it and tell the sender.
Please think about the environment before printing this e-mail.
You are receiving this newsletter because you signed up for it on our website.
Click here to unsubscribe.
No reply is needed.
Do not reply to this e-mail.
Terms apply, see website for details.
The offer is valid while stocks last and cannot be combined with other offers.
Batteries not included.
Keep out of reach of children.
Store in a cool and dry place.
Best before: see lid.
Shake well before use.
The tenant shall keep the premises clean and shall not make any changes without written consent.
The contract runs for one year and is renewed unless it is ended by either side in writing.
Both parties shall keep the content of this agreement confidential.
Any dispute arising out of this agreement shall be settled by arbitration.
Should any provision be invalid, the remaining provisions stay in force.
The employee is entitled to twenty-five days of paid leave each year.
Overtime has to be approved in advance by the head of the department.
The applicant has to show that the requirements are met.
The court dismissed the claim and ordered the claimant to bear the costs.
The patient complained of chest pain and shortness of breath for two days.
No known allergies. No fever, no cough. Heart and lungs without findings.
The wound has healed well and the stitches can be removed next week.
Take one tablet in the morning and one in the evening after a meal.
An X-ray of the left knee shows no fracture.
Family history: father with diabetes, mother with high blood pressure.
The committee met four times this year and discussed the budget, the new building and the rules.
The motion was carried with seven votes in favour, two against and one abstention.
Any other business: none. The meeting ended at half past eight.
Our team grew from five to twelve people, and we moved into a bigger office.
We are looking for somebody who likes numbers and does not mind early mornings.
You have a degree or several years of experience in a similar job.
We offer flexible hours, free coffee and a lot of freedom.
Knowledge of other languages is a plus but not required.
Who can apply? Anyone who is at least eighteen and has a driving licence.
What happens if I miss the deadline? Your application will not be considered.
Why is the sky blue? Because short waves are scattered more than long ones.
Did you know that honey never goes bad?
CALL US TODAY AND SAVE UP TO HALF OF YOUR MONTHLY BILL!
LAST CHANCE: EVERYTHING MUST GO!
NO SMOKING. NO DOGS. NO EXCEPTIONS.
PLEASE WAIT HERE UNTIL YOUR NUMBER IS CALLED
DO NOT OPEN THE DOOR WHILE THE MACHINE IS RUNNING
KEEP THIS SIDE UP
IMPORTANT SAFETY INSTRUCTIONS. READ BEFORE USE.
is anyone else having trouble with the update? mine wont even start
omg that was so funny i cant stop laughing
just got home, super tired, talk tomorrow ok?
yes sure no problem see you then
can someone help me pls i dont know what to do
idk maybe next week, gotta check with my boss
stop talking like a robot and give me a human
what is the fastest way to send money abroad
how much can i take out of a cash machine per day
i think somebody used my card without asking me
which insurance do i need if i rent a car
the app crashes whenever i open the second tab
turn on the lights in the kitchen and play some jazz
wake me up at six and tell me if it snows
{n} Ways to {verb} Your {Noun} Before {day}
Top {n} {Noun}s of the Year
The {n} Best {Noun}s You Can {verb} Right Now
{n} Things Nobody Tells You About {Noun}s
Why You Shouldn't {verb} Your {Noun}
How To {verb} A {Noun} In {n} Easy Steps
What {adj} {Noun}s Don't Want You To Know
Everything You Need to Know About {Head}
Is Your {Noun} {adj}? Here's What We Found
Breaking News: {Head}
Live: {Head}
Episode {n}: {Head}
Lesson {n} - {Head}
Step {n}: {Head}
Part {n} of {n}
Volume {n}, Issue {n}, pp. {num}-{num}
Season {n}, Episode {n}
Genre: {Noun}, {Noun}, {Noun}
Categories: {Noun} & {Noun}, {Noun} & {Noun}
Tags: {noun}, {noun}, {noun}
{noun}, {noun}, {noun} and {noun} are {adj}.
Species such as {noun}, {noun} and {noun} are {adj}.
Colours: {noun}, {noun}, {noun}
C'est la vie
Voilà, that's it.
Danke schön!
Gracias por todo
Ciao!
It's {time} already, let's go!
That's {adj}. Let's {verb} it.
Wasn't that {adj}? I wouldn't have {adj} it.
'Tis the season to be {adj}
Rock 'n' roll {nouns}
The '{noun}' button is {adj}.
The king and the queen were {adj}.
The bishop, the mayor and the judge were {adj}.
My boss is {adj} and my doctor is a {noun}.
The president of the club is {adj}.
A nurse and a teacher {verb} the {noun}.
The manager told the driver to {verb} the {noun}.
the south of the country
in the north-west of the region
the Middle Ages
Northern and Southern hemisphere
East of the river
The street is {adj} and the road is {adj}.
The house at the end of the lane is {adj}.
Turn left at the next square and follow the road to the bridge.
The avenue is lined with {adj} trees.
Take the second exit, then drive {n} km along the highway.
The bank is {adj}. The university is {adj}. The hospital is {adj}.
The company is {adj} and the union is {adj}.
An agency or a department can {verb} the {noun}.
A company without {nouns} is {adj}.
Between {num} and {num} {nouns}
{num} {nouns}, {num} {nouns}
{n}{n} {nouns} a day
at {n}{n}{n} {nouns} per {noun}
room {n}{n}{n}
gate {n}, platform {n}
Line {n}{n}
It has {n} floors and {n}{n} rooms.
apartment with {n} rooms and a balcony
a suite with a view
box of {nouns}
unit price {amt}
building permit
floor plan
zip file
city centre
state of the art
street food
road trip
first name
last name
place of birth
country code
`;
