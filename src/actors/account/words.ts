/** 2048 common words of four to eight letters, chosen so that few differ by a single typing mistake. */
export const words: readonly string[] = `
about above accent accept access account ache acorn acre across action active actor actual adapt address
adjust admire admit adopt adult advance advice affair afford afraid after again agent agree ahead
airport aisle alarm album alert alike allow almond alone along alpine also alter always amaze amber
amount amuse anchor ancient angle animal ankle annual answer antique anvil apart appeal apple apply
apron arch area arena argue arise armor army aroma around arrange arrive arrow artist aside asleep
aspect aspen assist assume atlas atom attach attempt attend attic auction audio aunt author autumn
avenue average avocado avoid awake award away awning axis axle baby backpack bacon badge badger baker
balance balcony balloon ballot bamboo banana bandage banjo bank banner barber bargain barley barrel base
basil basin basket bath battery beacon beam beard beauty beaver become bedroom beet beetle before begin
behave behind being belong below bench benefit berry beside beyond bicycle bike bill birch bird birth
biscuit bison black blade blanket blast blaze blend bless blimp blink blond bloom blossom blouse blue
board body bolt bonus booklet boost border borrow bottle bottom boulder bounce bowl bracelet brain brake
branch brass brave break breath breeze brick bridge brief bright bring brisk broad broccoli bronze brook
brother brown brush bubble bucket buckle buddy budget buffalo bugle build bulb bump bundle burger burn
business busy butter button buzz cabbage cabin cabinet cable cactus calendar calm camel camera canal
canary candle candy canoe canopy canvas canyon cape capital captain caption caramel caravan carbon card
cardinal career cargo carpet carrot carry carve cash cashew castle casual catalog cattle caution cedar
ceiling celery cellar cello cement center central century cereal chain chair chalk champion chance
channel chapter charge charm chase chat cheap check cheer cheese cherry chess chestnut chew chicken
chief child chili chimney chip choice choose chord chorus chuckle cinema cinnamon circle circus city
civil claim clap clarinet class classic clean clear clerk clever click cliff climate climb clinic close
closet cloth cloud clover clown club cluster coach cobalt cobra cobweb cocoa coconut code coffee coin
collect college color colt column comb comedy comet comfort comic command common company compare compass
complete compose concert condor confirm connect consider contact content contest control cookie copper
copy coral cork corner correct cosmic costume cottage cotton counter country county couple courage
course court cousin coyote crab cradle craft crane crater crayon crazy cream create credit creek crest
cricket crisp crop cross crowd cruise crumb crunch crystal cuckoo cucumber cupboard curb curious curl
current curtain curve cushion custom cute cycle cymbal cypress daily daisy damp dance dandy daring dart
dash data daughter dawn debate decade decent decide decorate deer defend define degree delay delight
deliver delta demand denim dense depart depend depth deputy derby desert design desk dessert detail
detect develop device dial diamond diary dice diet differ digit dinner direct disk distant divide dizzy
doctor doll dollar dolphin domain domino donate donkey donor door double dough dove dozen dragon drama
draw drawer dream dress drift drill drink drive drop drum duck duet dune during duty dwell dynamic eager
eagle early earth easel easy echo eclipse edit educate effect effort elastic elbow elder elect elegant
element elephant elevator eleven elite else emerald emotion empire employ empty enable endless energy
engine enjoy enough enter entire entry envelope equal equip erase errand escape essay estate eternal
evening event every evidence exact example excel except excite excuse exercise exhibit exist expand
expect explain explore export express extend extra eyebrow fable fabric fact factory fade fairy faith
falcon fall family famous fancy farmer fashion faucet favor feast feather feature feed felt fence fern
ferry festival fetch fever fiber fiction fiddle field fifty figure film filter final finger finish firm
first fish five flag flame flamingo flash flavor flax fleet flight flint flip float flock flood flour
flow flower fluid flute foam focus foil folk follow football force forecast forest forget formal fort
fortune forum forward fossil foster fountain fraction fragile frame freckle free freeze freight fresh
friend frog front frost frozen fruit fudge fuel fund funny furnace future gadget galaxy gallery gallon
gallop garage garden garlic garment gate gather gauge gazelle gecko general genius gentle genuine
geology gesture giant gift ginger giraffe girl give glacier glad glance glass glitter globe glory glue
goal goat good goose gopher gorilla gown grace grain gram grand granite graph grasp grateful gravel
gravity gravy graze green greet grid grill grip grocery group grove grow guard guava guess guide guitar
gulf gust habit hail half halo hammer hammock hamster handle hang happen happy harbor harmony harness
harp harvest hawk hazel healthy heart hearth heaven heavy hedge hedgehog height helium helmet help herd
hermit heron herring hexagon hickory hidden high hike hippo history hobby hockey hold holiday hollow
holly honest honey hoof hope horizon horn horse host hotel hour hover huge hull human humble humor
hundred hunt hurdle hurry hush husky hybrid hymn icicle icing icon idea ideal idle igloo image imagine
impact import improve impulse inch include income increase index indigo indoor infant inform inlet inner
input inquiry insect inside inspect install instant intend interest into invent invest invite iris iron
island item itself ivory jacket jaguar jasmine jazz jeans jeep jelly jersey jewel jigsaw join joke
journal journey judge juggle juice juicy jumbo jump jungle junior jury just kale kangaroo karate kayak
keen kelp kettle keyboard kick kilt kimono kind kingdom kiosk kitchen kite kitten kiwi knee knight knit
knob knock koala label labor lace ladder ladle lady lagoon lamb land language lantern large lark laser
laugh launch laundry lava lavender lawn lawyer lazy leader league leap learn leather leave lecture left
legal legend leisure lemon length lens lentil leopard lesson letter lettuce level liberty library lichen
life lilac lily limit linen lion liquid list listen liter little lively lizard llama loaf loan lobby
lobster locket lodge logic lonely look loop loose lotion lotus loud lounge lovely loyal lucky luggage
lullaby lumber lunar lung luxury lyric machine magazine magic magnet magnolia magpie maid main major
make mallet mammal mammoth manage mandolin mango manner mansion manual many maple marble margin marina
marine market marry mars marsh marvel mask mason master match material matter mattress mature maximum
maybe mayor meadow mean measure mechanic media medical medium mellow melody melon melt member memory
mention menu merchant mercury merge merit message metal meteor meter method metro middle midnight might
milk million mimic mineral minimum minnow minor mint minute miracle mirror mission mitten mixture mobile
model modern modest moment monarch monitor monkey month mood morning mosaic moss mother motion motor
mount mountain mouse movie much muffin mule multiply muscle museum mushroom music mustang mustard mutual
muzzle mystery myth name napkin narrow nation native nature navy neck nectar needle neighbor nephew
nerve network neutral never news next nickel niece nimble nine noble noise noodle noon normal north note
notebook nothing notice novel nuclear nugget number nurse nursery nutmeg nylon oasis obey object oblong
oboe observe obtain obvious occur ocean octopus offer office often okay olive omelet omit once onion
online only onyx opal open opera opinion option orange orbit orchard orchid order ordinary organ organic
origin orphan osprey ostrich other outdoor outer outfit outside oval oven owner oxygen oyster pack
package paddle page pair pajamas palace palm pancake panda panel panther pants papaya paper parade
parcel parent parka parrot parsley partner party pass passage pasta pastel pastry pasture path patient
patio patrol pattern pause peace peacock peak peanut pearl pebble pecan pedal peel pelican pencil
pendant penguin penny people pepper perfect perform perfume period permit person phone photo phrase
piano pickle picnic picture piece pier pigeon piglet pilgrim pillar pillow pilot pinball pink pioneer
pipe pirate pitch pivot pizza plain planet plank plaster plastic plate platform play player plaza please
pleasure plenty plow plum plural plus pocket podium poem point pole police polish polite pond pony pool
poplar poppy popular portrait position possible post postcard potato potter pouch powder practice
prairie praise precise predict prefer prepare present press pretty pretzel prevent pride primary prince
print prior prism private prize problem process produce profile profit program project promise promote
proof proper propose protect proud prove provide prune public pudding puddle puffin pull pulse puma
pumpkin punch pupil puppet puppy purchase pure purple purpose push puzzle pyramid quail quality quantum
quarter quartz queen quest question quick quiet quill quince quiz quota quote rabbit raccoon radar radio
radish raft railway rainbow raise raisin rally ramp ranch random range rapid rare rather raven razor
reach reader ready real reason recall receive recent recipe record recover reduce reef refer reflect
reform refresh region regular relate relax release relief rely remain remark remedy remember remind
remote remove render renew rent repair repeat reply report request rescue research reserve resist resort
resource respect respond result retail return reveal review reward rhyme rhythm ribbon rich ridge rigid
rinse ripe ripple river roast robe robin robot robust rock rocket rodeo roll root rose rotate rough
route routine royal rubber ruby ruler runner runway rural rustic saddle safari safe saffron sailor salad
salmon salon salt salute sample sandal sandwich satchel satin saturn sauce sauna sausage savory scale
scallop scarf scatter scene scenic scent schedule scheme scholar school science scissors scooter score
scout scrap screen screw script scroll sculptor search season seat second secret section secure seek
select self seminar send senior sense sentence separate sequence serene series serious serve service
sesame session settle seven shade shadow shallow shampoo shape sharp shed sheet shelf shelter shepherd
shield shine shirt shore shorts shoulder shout shovel show shower shrimp shrub shrug shuffle shutter
siege sight sign signal silence silent silk silly silver similar simple since single sister situate size
skate sketch skill skip skirt skyline slab sled sleeve slender slice slide slim slipper slogan slope
small smart smile smoke smooth snack snail snake snap sneaker snow soccer social soda soft solar soldier
solid solo solution solve some song sonnet soul sound soup source south space spark sparrow special
speech speed spell sphere spike spin spinach spiral spirit splash splendid sponsor spoon sport spot
spray spread spring sprout spruce square squash squid squirrel stable stadium staff stage stair stamp
stand staple start station statue stay steak steel stereo stew stick still stitch stock stomach stone
stool stop storage storm story stove straw stream street stretch string stripe strong studio study stuff
stump style subject submit subway success such sudden sugar suggest suit summer sunny sunrise sunset
super supper supply support sure surface surfer surprise survey sushi swallow swan swarm sweater sweep
swift swim swing switch symbol symphony syrup system tablet tackle taco tadpole tailor take talent
tambour tango target task taste tavern taxi teach teacher teapot teaspoon tell temper temple tennis term
terrace text textile thank theater theme theory thermal thick thimble thing third thirty thistle thorn
thread three thrill thrive throne throw thumb thunder ticket tidy tiger timber time tinsel tiny tire
tissue title toad toast today toffee together token tomato tomorrow tongue tonight tooth topaz topic
torch tornado tortoise total toucan tour toward towel tower town track tractor trade traffic trail trait
transfer travel tray treasure treat trek trend trial triangle tribe tricycle trigger trim trio trolley
trophy tropical trot trouble trout true truffle trumpet trunk trust truth tube tugboat tulip tuna tundra
tunnel turbine turkey turn turnip turtle tutor tuxedo twelve twenty twice twig twilight twin twist type
typical ukulele umbrella uncle under unfold unicorn uniform union unique unit universe unlock until
update upgrade upon upper upright upset urban urge usage useful usher usual utensil utility vacant
vacuum valid valley value valve vanilla vapor variety various varnish vast vault vector vehicle velvet
vendor venture venue verb verify verse version vessel veteran viable victory video view villa village
vine vinegar vintage vinyl viola violet violin virtual visa visit visitor visual vital vivid vocal voice
volcano volume vote voyage waffle wagon waist waiter walk wallet walnut walrus waltz wander want warm
watch water wave wealth wear weasel weather wedding wedge week weekend weigh welcome west whale wheat
wheel when where whisker whisper whistle white whole wicker wide width wild willow windmill window wing
winter wisdom wish witness wizard wolf woman wombat wonder wool work workshop world worth wrap wreath
wren wrench wrinkle wrist writer yacht yarn year yeast yellow yield yoga yogurt yolk young youth zebra
zenith zero zigzag zinc zipper zodiac zone zoom
`
  .trim()
  .split(/\s+/)
