"""The words that questions are made from: people, animals, things, colours, actions, places.

Chosen by how often they stand in the training captions. A word that is not here is passed over:
better no question than a silly one.
"""

from __future__ import annotations

COLOURS = {
    **{name: name for name in "red blue green yellow black white brown orange pink purple".split()},
    "grey": "gray", "gray": "gray", "tan": "tan", "beige": "tan", "golden": "golden",
    "blond": "blond", "blonde": "blond", "silver": "silver",
}  # fmt: skip

NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "2": 2, "3": 3, "4": 4}
NUMBER_WORDS = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}
MANY = frozenset("several many some other few both all various multiple numerous".split())

# What may stand between an article and its noun.
ADJECTIVES = frozenset(
    """little young small large big older old elderly smiling happy wet long short tall light dark
    bright colorful striped plaid shirtless bald bearded muddy furry fluffy hooded sleeveless dirty
    very asian african american female male lone single teenage tiny fat skinny huge spotted
    rubber plastic wooden leather knit wool winter soccer football tennis baseball basketball hockey
    polo dress rain swim ski snow race bicycle bike hard baby toy stuffed inflatable mountain dirt
    motor beach floral heavy matching colored and deep shallow clear grassy sandy snowy rocky busy
    crowded open city public""".split()
)

# The name of each person or animal, and what it is called where there are several.
PEOPLE = {
    "man": "man guy gentleman",
    "woman": "woman lady",
    "boy": "boy",
    "girl": "girl",
    "child": "child kid toddler",
    "baby": "baby infant",
    "person": """person skateboarder snowboarder skier surfer biker cyclist bicyclist motorcyclist
        climber hiker runner skater swimmer dancer""",
}
ANIMALS = {"dog": "dog puppy", "horse": "horse", "bird": "bird", "cat": "cat", "cow": "cow"}
PLURALS = {
    "men": "man", "guys": "man", "women": "woman", "ladies": "woman", "boys": "boy",
    "girls": "girl", "children": "child", "kids": "child", "toddlers": "child", "babies": "baby",
    "people": "person", "dogs": "dog", "puppies": "dog", "horses": "horse", "birds": "bird",
    "cats": "cat", "cows": "cow",
}  # fmt: skip
SINGULARS = {word: name for name, words in {**PEOPLE, **ANIMALS}.items() for word in words.split()}
SEVERAL = {
    "man": "men", "woman": "women", "boy": "boys", "girl": "girls", "child": "children",
    "baby": "babies", "person": "people", "dog": "dogs", "horse": "horses", "bird": "birds",
    "cat": "cats", "cow": "cows",
}  # fmt: skip
# A caption that is less exact says less, and contradicts nothing.
VAGUER = {
    "man": {"person"},
    "woman": {"person"},
    "boy": {"person", "child"},
    "girl": {"person", "child"},
    "child": {"person"},
    "baby": {"child", "person"},
}

CLOTHES = {
    **{word: word for word in """shirt jacket hat dress coat helmet collar uniform sweater cap
        jersey outfit suit vest skirt scarf wetsuit swimsuit hoodie sweatshirt bikini apron robe
        costume tie backpack headband bandana hair shorts pants jeans gloves shoes boots
        goggles""".split()},
    "t-shirt": "shirt", "tshirt": "shirt", "bandanna": "bandana", "blouse": "shirt",
    "trousers": "pants",
}  # fmt: skip
PAIRS = frozenset("shorts pants jeans gloves shoes boots goggles trousers".split())
THINGS = {
    **{word: word for word in """ball toy car frisbee slide bike motorcycle kayak umbrella surfboard
        boat raft rope tent bucket couch chair bench truck flag balloon leash blanket bus train wall
        canoe sled skateboard guitar bag purse scooter tube towel""".split()},
    "bicycle": "bike", "motorbike": "motorcycle", "sofa": "couch",
}  # fmt: skip
# Two words that are one thing, of another name than its last word.
NOT_THINGS = frozenset({
    ("tank", "top"), ("bathing", "suit"), ("swim", "suit"), ("wet", "suit"), ("hard", "hat"),
    ("ball", "cap"), ("bull", "ring"), ("soccer", "goal"), ("tennis", "court"), ("car", "race"),
    ("dog", "toy"), ("toy", "car"), ("toy", "dog"), ("car", "window"), ("ball", "field"),
    ("dog", "park"), ("dog", "race"), ("dog", "house"), ("hot", "dog"), ("horse", "race"),
    ("bike", "race"), ("bike", "ramp"), ("bike", "helmet"), ("baseball", "player"),
    ("football", "player"), ("boy", "scout"), ("girl", "scout"), ("dog", "sled"), ("bike", "path"),
    ("baby", "pool"), ("train", "tracks"), ("train", "station"), ("boat", "dock"), ("dog", "food"),
    ("bus", "stop"), ("wall", "mural"), ("car", "seat"), ("dog", "collar"), ("baby", "carriage"),
    ("man", "made"), ("guitar", "player"), ("ball", "game"), ("rope", "swing"), ("dress", "shirt"),
    ("child", "swing"), ("baby", "swing"), ("train", "car"), ("chair", "lift"), ("bag", "pipes"),
})  # fmt: skip

# Base of a verb, and how it is answered; those that need an object say which they take.
ACTIONS = """run jump swim sit stand walk climb smile sleep dance laugh play sing skate ski surf
    skateboard snowboard dive crawl lie lay kneel wade hike fish""".split()
OBJECTS = {
    "play": {
        **{word: word for word in """soccer football basketball baseball tennis hockey volleyball
            rugby guitar frisbee""".split()},
    },
    "ride": {
        "bike": "a bike", "bicycle": "a bike", "horse": "a horse", "horses": "horses",
        "motorcycle": "a motorcycle", "skateboard": "a skateboard", "scooter": "a scooter",
        "bikes": "bikes", "bicycles": "bikes", "wave": "a wave", "bull": "a bull",
        "surfboard": "a surfboard",
    },
    "kick": {"ball": "a ball"},
    "catch": {"ball": "a ball", "frisbee": "a frisbee"},
    "throw": {"ball": "a ball", "frisbee": "a frisbee"},
    "chase": {"ball": "a ball", "dog": "a dog", "frisbee": "a frisbee"},
    "hold": {"ball": "a ball", "stick": "a stick", "baby": "a baby", "child": "a child",
             "camera": "a camera", "sign": "a sign", "umbrella": "an umbrella", "flag": "a flag"},
    "carry": {"ball": "a ball", "stick": "a stick", "toy": "a toy", "child": "a child"},
    "climb": {"rock": "a rock", "wall": "a wall", "tree": "a tree", "mountain": "a mountain",
              "cliff": "a cliff"},
}  # fmt: skip
NEEDS_OBJECT = frozenset({"ride", "kick", "catch", "throw", "chase", "hold", "carry"})
SAME_ACTION = {"lay": "lie"}

# Where people are, by the noun after one of these prepositions; how it is answered.
PREPOSITIONS = frozenset("in on at through across into along down by".split())
PLACES = {
    "snow": "in the snow", "water": "in the water", "grass": "on the grass",
    "beach": "on the beach", "street": "on the street", "road": "on the road",
    "sidewalk": "on the sidewalk", "field": "in a field", "park": "in a park",
    "pool": "in a pool", "woods": "in the woods", "forest": "in the woods",
    "ocean": "in the sea", "sea": "in the sea", "lake": "in a lake", "river": "in a river",
    "sand": "on the sand", "mud": "in the mud", "yard": "in a yard", "backyard": "in a yard",
    "couch": "on a couch", "bench": "on a bench", "bed": "on a bed", "stage": "on a stage",
    "track": "on a track", "ice": "on the ice", "boat": "in a boat", "fountain": "in a fountain",
    "playground": "on a playground", "swing": "on a swing", "trampoline": "on a trampoline",
    "slide": "on a slide", "desert": "in the desert", "kitchen": "in a kitchen",
    "restaurant": "in a restaurant", "rock": "on a rock", "cliff": "on a cliff",
    "bridge": "on a bridge", "stairs": "on the stairs", "steps": "on the stairs",
    "dock": "on a dock", "mountain": "on a mountain", "hill": "on a hill",
}  # fmt: skip
# At or by one of these one is not on it.
ONLY_IN = frozenset("couch bed bench boat trampoline slide swing rock cliff stairs steps".split())

# Things of everyday photos, in the singular, of which one can ask whether there is one.
SEEN_THINGS = frozenset(
    """dog cat horse cow bird bear giraffe zebra elephant sheep duck train bus car truck motorcycle
    bicycle boat airplane plane helicopter kite frisbee ball racket bat skateboard surfboard
    snowboard helmet umbrella suitcase bag backpack tie hat cap jacket dress laptop computer
    keyboard phone television monitor clock lamp mirror window table chair desk couch sofa bed
    bench toilet sink bathtub shower refrigerator oven stove microwave counter cabinet plate bowl
    cup glass bottle fork knife spoon pizza sandwich cake donut banana apple orange carrot vase
    flower tree plant fence bridge tower building house sign hydrant mountain lake river beach
    candle pillow blanket curtain book newspaper basket box toy kitchen bathroom""".split()
)
