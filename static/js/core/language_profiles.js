/** Words and letters of languages, written down for the guess at a language. Pure. */

/**
 * Function words and other frequent short words of each language. A word of several languages
 * counts less for each of them, so related languages that no model reads are listed too: without
 * them Danish would be taken for German.
 * @type {Record<string, string>}
 */
export const WORDS = {
  en: `a about after again all also always am an and another any are aren't as at away back be
    because been before being between big black blue book both boy brings brown but by came can
    can't cannot car cat cats child children could couldn't day did didn't die do does doesn't
    dog dogs doing don't done down during each even every few film first for friend from front
    get girl give go going good got green had has hasn't hat have haven't he he'd he's hello her
    here here's him his house how i i'd i'll i'm i've if in into is isn't it it's its just know
    large let's life like little look love loves made make man man's many me men more morning
    most much must my near never new night no not nothing now of off old on one only or other
    our out over own people playing please put read really red runs said same saw says school
    see she she's shirt should shouldn't sitting small so some standing still street such take
    than thank thanks that that's the their them then there there's these they they're they've
    thing this those three through time to today tomorrow too two under until up us very want
    war wars was wasn't water we we'll we're we've well went were weren't what what's when where
    where's which while white who who's whose why will with without woman woman's won't work
    would wouldn't yes yesterday you you'll you're young your`,
  fr: `ai aime alors après as assez au aucun aujourd' aussi autre aux avait avant avec avez avoir
    avons beaucoup bien bon bonjour bonne bonsoir c' car ce cela ces cet cette chaque chat chez
    chien chose comme comment d' dans de demain depuis des deux devant donc dont du elle elles
    en encore enfant enfants entre es est et eu faire fais fait faut femme fille garçon grand
    grande habite hier homme ici il ils j' jamais je jouent jour jusque l' la le les leur leurs
    livre lui là là-bas m' ma mais me merci mes moi moins mon monde même n' ne ni non nos notre
    nous on ont ou oui où par parce parle pas pendant petit petite peu peut peux plus pour
    pourquoi pouvez près puis qu' quand que quel quelle quelque qui quoi rien s' sa salut sans
    se sera ses si sois sommes son sont sous suis sur t' ta te tes toi ton toujours tous tout
    toute toutes trois trop très tu un une va vais vas veut veux vont vos votre voudrais vous y
    à ça étaient étais était été êtes être`,
  de: `abend aber alle allem allen alles als also alte alten am an andere anderen auch auf aus bei
    beim bin bis bist bitte buch da damit danke dann darf das dass dein deine dem den denn der
    des deutsch dich die dies diese diesem diesen dieser dieses dir doch dort drei du durch ein
    eine einem einen einer eines einige er es etwas euch euer fast film fragte frau freund
    freundin für ganz gar gegen gehen geht gestern gewesen gibt ging groß große großen gut gute
    guten guter habe haben hallo hast hat hatte hatten haus heiße helfen heute hier hinter hund
    hätte hätten hättest ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im immer in ist ja jede
    jeden jeder jedes jetzt junge kam kann kannst katze kein keine keinen kind kinder kleine
    kleiner kleines komme kommen konnte können könnte lange leute liebe machen macht man mann
    mehr mein meine meinem meinen meiner mich mir mit morgen muss mädchen männer möchte möchten
    müde müssen nach nacht neben nein neu neue nicht nichts nie noch nun nur ob oder ohne roten
    sagte schläft schon schwarzen sehr sein seine seinem seinen seiner seit sich sie sind so
    soll sollte sondern sonst spielen spielt spreche sprechen tag tage trotz um und uns unser
    unsere unter verstehe viel viele vom von vor wann war waren warten warum was wasser weder
    weil weiß weiße welche wenn wer werde werden wie wieder will wir wird wirst wissen wo wohne
    wohnt worden wurde wurden während würde würden zu zum zur zusammen zwei zwischen über`,
  es: `a adiós ahora al algo alguna algún amiga amigo antes aquel aquella aquí así aunque ayer años
    bajo bien blanca buena buenas bueno buenos cada casa casi comer como con contra cosa cual
    cuando cuál cuándo cuánto cómo de debe del desde después donde dos durante día días dónde e
    el ella ellas ellos en entiendo entonces entre era eran eres es esa ese eso español esta
    estaba estar estas este esto estos estoy está están favor fue fueron gato gente gracias gran
    grande gusta ha habla hablo había hace hacer hacia han hasta hay he hola hombre hombres hoy
    la las le les libro llamo lo los luego mañana me mejor menos mi mientras mis mismo mucha
    mucho muchos mujer mundo muy más mí nada nadie ni ninguna niña niño niños no noches nos
    nosotros nuestra nuestro nunca o otra otro para pero perro poco por porque pregunta puede
    puedes puedo pues que quien quiere quiero quisiera quién qué sabe se sea según ser si
    siempre sin sino sobre solo son soy su sus sí sólo también tan tanto tardes te tenemos tener
    tengo tenía ti tiene tienen todo todos trabajo tres tu tus tú un una unas uno unos usted
    ustedes va vamos veces vez vida vieja viejo vive vivo y ya yo él`,
  it: `a abbiamo ai al all' alla alle anche ancora avere bene buon buongiorno c' casa che chi ci
    ciao come con cosa così cui d' da dal dalla degli dei del dell' della delle di dio donna
    dopo dove due e ed era erano essere fa fare fatto fra giorno già gli grande grazie ha hai
    hanno ho i il in io l' la le lei li lo loro lui m' ma mai me mi mia mio molto ne nei nel
    nell' nella no noi non nostro nulla o oggi ogni per perché però più poco poi prego prima può
    quale quando quanto quella quello questa questo qui ragazza ragazzo s' sarà se sei sempre
    senza si sia siamo solo sono sopra sta stato su sua sui sul sulla suo sì tanto te ti tra
    troppo tu tutti tutto un un' una uno uomo va vi voglio voi è`,
  pt: `a agora ainda algo alguém ali ao aos aqui as até bem boa bom cada casa com como da das de
    dele depois desde deste dia dizer do dois dos e ela elas ele eles em enquanto entre então
    era essa esse esta estava estou está eu fazer foi fosse hoje homem há isso isto já lhe lá
    mais mas me menina menino menos mesmo meu minha muito muitos mulher na nas nem nenhum no nos
    nossa nosso num numa nunca não nós o obrigado olá onde os ou outra outro para pela pelo pode
    por porque pouco qual quando quanto que quem quer se sem sempre ser seu seus sobre sou sua
    só também te tem tenho ter teu todos tudo têm um uma vai você vocês vou é`,
  ca: `a així això al als amb aquest aquesta bon bé com d' de del dels el ell ella els em en era
    est ha has he hi i ja jo l' la les li lo m' meu molt més n' no nosaltres o on per perquè
    però quan qui què s' se seu si sóc són t' també tot un una va vaig vull és`,
  nl: `aan al alle alles als altijd ben bij dag dan dank dat de deze die dit dochter doe doen door
    dus echt een eens en er ga gaan geen goed goede graag groot haar had heb hebben heeft heel
    heen hem het hier hij hoe hond hou huis iets ik in is ja jaar je jij jou jouw jullie kan
    kind komen kunnen maar man mannen meer meisje met mij mijn moet na naar niet niets nog nooit
    nu of om omdat ons ook op over reeds te tegen toch toen tot twee u uit uw van veel voor
    vrouw waar waarom wat we weer wel werd wie wij wil worden wordt zal ze zei zich zien zij
    zijn zo zonder zou`,
  da: `af alle at da de dem den der deres det dig din du efter eller en er et for fra ham han har
    havde hej hende her hun hund hus hvad hvis hvor i ikke ind jeg kan man med meget men mig min
    mod ned noget nu når og også om op os over på sig sin skal som sort så tak til ud uden under
    var ved vi vil være`,
  sv: `alla allt att av barn blev bra de dem den denna det detta dig din du där efter eller en ett
    från för ha hade han har hej hon honom hund hur här i icke inte jag kan man med men mig min
    mycket nu när någon något och också om oss på redan se sedan sig sin ska skulle som så tack
    till under upp ut utan vad var varför vi vid vill är över`,
  pl: `a ale bardzo bez być był była było co czy dla do dzień gdy gdzie go i ich ja jak jako je
    jego jej jest jestem już kiedy ktoś która które który ma mam mi mnie może na nad nas nie nim
    o od on ona oni po pod przez przy się są ta tak tam te tego ten to tu ty tylko w was we
    wszystko z za że`,
  cs: `a aby ale ani až bude by byl byla bylo být co což do ho jak jako je jeho jejich jen ještě ji
    jsem jsme jsou já k kde kdo kdy který mi má mám máme mě na nebo není než nic o od on ona po
    pro proč při s se si svůj ta tady tak také tam te ten to tu ty u už v ve však všechno z za
    že`,
  ro: `a această acest am ani ar are as au avea bine bună ca care ce cel cine cu cum da dacă de din
    doar după ea ei el este eu fi fost iar la le lui mai mare mea meu mi mult nu o pe pentru
    poate se sunt să te tu un una unde va îi în și`,
  hu: `a az de egy el ez hogy igen is jó kell ki le meg mi mit már nem sem van volt én és ő`,
  fi: `ei en hän ja jos kuin kun me mikä minä mitä mutta ne niin nyt olen oli on ovat se sinä te
    tämä`,
  tr: `ama ben bir biz bu da daha de değil gibi ile için ki mi mu ne nerede o sen siz var ve yok
    çok şu`,
  la: `a ab ad aut cum de e ego enim esse est et ex hic in ipse me nam ne nec nihil nisi nobis non
    nos per post pro quae quam qui quia quid quo quod se sed semper si sic sine sum sunt te tibi
    tu ut vel via`,
  eo: `al de en estas esti estis kaj kiel kio kiu la li mi mia ne ni nun oni por pri sed tio tiu vi
    ŝi`,
};

/** The letters of each language beside a to z. @type {Record<string, string>} */
export const LETTERS = {
  fr: "àâæçéèêëîïôœùûÿ",
  de: "äöüß",
  es: "áéíñóú",
  it: "àèéìòù",
  pt: "àáâãçéêíóôõú",
  ca: "àçèéíïòóúü",
  nl: "éëï",
  da: "æøå",
  sv: "åäöé",
  pl: "ąćęłńóśźż",
  cs: "áčďéěíňóřšťúůýž",
  ro: "ăâîșşțţ",
  hu: "áéíóöőúüű",
  fi: "äö",
  tr: "âçğıîöşü",
  eo: "ĉĝĥĵŝŭ",
};
