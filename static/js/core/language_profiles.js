/** Words and letters of languages, written down for the guess at a language. Pure. */

/**
 * Function words and other frequent short words of each language. A word of several languages
 * counts less for each of them, so related languages that no model reads are listed too: without
 * them Danish would be taken for German.
 * @type {Record<string, string>}
 */
export const WORDS = {
  en: `a about above across after again against ago all along already also although always am among
    an and another any anything are aren't around as asked asks at ate away back be because been
    before behind being below beside best better between big black blue book both bought boy
    bring brings brother brought brown bus but buy by came can can't cannot car cat cats child
    children city cold comes coming could couldn't country daughter day did didn't die do does
    doesn't dog dogs doing don't done door down drinks during each early easy eating eats enough
    even ever every everybody everyone eyes false far father feels felt few film first for
    friend from front gave get girl give given gives go goes going gone good got green had hair
    hand hands happy hard has hasn't hat have haven't he he'd he's head hello helped helps her
    here here's high him his holding holds hot house how however i i'd i'll i'm i've if in
    inside into is isn't it it'd it's its just knew know known knows large last later learn
    learned let let's lets life like little lived lives living long look looked looking looks
    love loves low made make makes making man man's many may maybe me men might money month more
    morning most mother mr mrs much must my near needed needs never new next night no nobody not
    nothing now of off often old on one only or other our out outside over own people perhaps
    played playing plays please put quickly quite ran rather read reading really red right room
    running runs sad said same sat saw says school see seeing seen sees several shall she she's
    shirt short should shouldn't sick since sister sitting sleep sleeping slowly small so some
    somebody someone something sometimes son soon speak speaks spoke standing stands still stood
    street such table take taken takes taking tall tells than thank thanks that that's the their
    them then there there's these they they're they've thing thinks this those though thought
    three through time tired to today told tomorrow too took toward towards town train tried
    true try trying two under unless until up upon us used using very waiting waits walked
    walking walks want wanted wants war wars was wasn't watches watching water we we'll we're
    we've wearing wears week well went were weren't what what's when where where's whether which
    while white who who's whose why will window with within without woman woman's won't work
    worked working works worse worst would wouldn't write writes written wrong wrote year years
    yes yesterday you you'll you're young your`,
  fr: `ai aide aider aime ainsi ait aller allez allons allé alors année ans appartient après argent
    arrivé as assez assis attend attendre au aucun aucune aujourd' aurais aurait aussi autre
    autres aux avait avant avec avez aviez avions avoir avons beau beaucoup belle besoin bien
    bientôt blanc blanche bleu boire bon bonjour bonne bonsoir bras c' car ce ceci cela celle
    celles celui ces cet cette ceux chacun chaque chat chez chien chose choses colline comme
    comment connais connaît croire crois d' dans de debout dedans dehors demain depuis dernier
    dernière des deux devant devenu dire dis dit dites donc dont dormir du dès eau elle elles en
    encore enfant enfants enfin entre envers envie es est et eu faire fais faisait fait faites
    faut femme fera ferai fille fils frère fut garçon grand grande groupe habite hier homme ici
    il ils irai j' jamais je jeune joue jouent jouer jour jusqu' jusque l' la laquelle le lequel
    les leur leurs lire lit livre loin lui là là-bas m' ma main mais maison mal malgré mange
    manger matin me meilleur merci mes mettre mien mieux mis moi moins mois mon monde mère même
    n' ne ni noir non nos notre nous nouveau nouvelle nuit on ont ou oui où par parce parle
    parler parlez parti partie pas pays pendant pense penser personne petit petite peu peur peut
    peux pire plus plusieurs portant porte pour pourquoi pourrais pourrait pouvez premier
    première prendre presque pris prochaine près puis père qu' quand que quel quelle quelque
    quelques qui quoi raison regarde rien rouge rue s' sa sait salut sans savez savoir se selon
    semaine sera serai seraient serait ses seulement si sien soir sois sommes son sont sous
    souvent suis sur sœur t' ta table tard te tel telle temps tes tien toi ton tort toujours
    tous tout toute toutefois toutes travaille travailler trois trop très tu tête tôt un une va
    vais vas venir vert veuillez veulent veut veux vieil vieille viens vient vieux ville vite
    voir vois voit voiture vont vos votre voudrais voulais voulait voulez vous vraiment vu y à
    ça école écrire étaient étais était été êtes être`,
  de: `abend abends aber alle allem allen alles als also alte alten am an andere anderen arbeiten
    arbeitet auch auf aus auto bald bat bei beide beiden beim besser beste bevor bin bis bist
    bitte bitten blau blauen blaues bleiben blieb brauche brauchst braucht bruder buch da dachte
    damals damit danke dann darf das dass dein deine dem den denke denkt denn der derselbe des
    deshalb deswegen deutsch dich die dies diese diesem diesen dieser dieses dir doch dort
    draußen drei drinnen du durch durfte dürfen eigenen ein eine einem einen einer eines einige
    einmal endlich er erste ersten es essen etwas euch euer fand fast fenster film finden findet
    fragte frau frauen freund freundin früh für ganz gar gegangen gegen gehen geht gehört
    gekommen geld gemacht gern gerne gesagt gesehen gestern getan gewesen geworden gibt ging
    glaube glaubst groß große großen gruppe grün grünen gut gute guten guter habe haben half
    hallo hast hat hatte hatten haus heiße helfen hemd herr heute hier hilft hinter hose hund
    hält hätte hätten hättest ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im immer in irgendwo
    isst ist ja jacke jahr jahre jede jeden jeder jedes jedoch jemand jene jener jenes jetzt
    jung junge jungen junger kam kann kannst katze kaufen kaufte kein keine keinen kind kinder
    kleine kleiner kleines komme kommen konnte können könnte land lange langsam lassen leben
    lebt lernen lernt lesen letzte letzten leute liebe lieber liegen liegt liest ließ lässt
    läuft machen macht mag man manchmal mann mehr mein meine meinem meinen meiner menschen mich
    mir mit mochte monat morgen muss mutter mädchen männer möchte möchten müde müssen müsste
    nach nachdem nacht nachts nahm neben nehmen nein neu neue neuen nicht nichts nie niemand
    nimmt noch nun nur nächste nächsten ob obwohl oder oft ohne rot rote roten roter sagen sagt
    sagte sah saß schlafen schlecht schläft schnell schon schreiben schule schwarz schwarze
    schwarzen schwarzer schwester schön schöne schöner sehen sehr sein seine seinem seinen
    seiner seit selbst sich sie sieht sind sitzen sitzt so sohn solche soll sollte sollten
    sondern sonst spielen spielt spreche sprechen springt spät stadt stand stehen steht straße
    tag tage tisch tochter trinken trinkt trotz trotzdem tür um und uns unser unsere unter vater
    verstehe viel viele vielleicht vom von vor wann war waren warte warten wartet warum was
    wasser weder weil weiß weiße weißen weißer weißt welche welcher welches wenn wer werde
    werden wie wieder will wir wird wirklich wirst wissen wo woche wohne wohnt wollen wollte
    wollten worden wurde wurden wusste während würde würden zeit zu zum zur zusammen zwei
    zweimal zwischen über`,
  es: `a acaba adiós agua ahora al algo alguien alguna algún ambos amiga amigo antes aquel aquella
    aquí así aunque ayer ayuda ayudar azul año años aún bajo beber bien blanca blanco buena
    buenas bueno buenos cabeza cada caliente calle calor cansado casa casi cerca ciudad coche
    colina comer como con conmigo contigo contra corre correr cosa creo cual cualquier cuando
    cuarto cuyo cuál cuándo cuánto cómo dame de debe debemos debería debes debo decir deja dejar
    dejó del demasiado dentro desde despacio después dice dicho digo dijo dime dinero dolor
    donde dormir dos durante día días dónde e el ella ellas ellos en encanta enfermo entiendo
    entonces entre era eran eras eres es esa escribir escuela ese eso español espera esperar
    esta estaba estado estamos estar estas este esto estos estoy estudia estudiar estuve está
    están estás favor feliz frío fue fuera fueron fui gato gente gracias gran grande gusta
    gustan gustaría ha haber habla hablar hablo habló habría había hace hacer hacia hacía han
    hasta hay he hecho hermana hermano hija hijo hizo hola hombre hombres hoy hubiera idea ido
    ir joven juega jugar la las le leer lejos les levantarme libro llama llamar llamo llegar
    llegó llueve lo los luego madre mano mayor mayoría mañana me mejor menos mes mesa mi
    mientras mis mismo mucha mucho muchos mujer mundo murió muy más mí mío nació nada nadie
    necesita necesitas necesito negra negro ni ninguna ningún niña niño niños no noche noches
    nos nosotros nuestra nuestro nueva nuevo nunca o ojos otra otro oí oír padre para parece
    pasa pasó país película perdón pero perro pertenece poco podría podía por porque pregunta
    pronto propio pude pudo pueda puede pueden puedes puedo puerta pues que querer quería quien
    quiere quieren quieres quiero quisiera quizá quizás quién qué reloj rojo rápido sabe sabemos
    sabes sabía salir salió se sea según semana ser sería si sido siempre siento sin sino sobre
    solo son soy su sus suyo sí sólo también tan tanto tarde tardes te temprano tenemos tener
    tengo tenía tenían ti tiempo tiene tienen toca tocar todavía todo todos trabaja trabajar
    trabajo tren tres tu tus tuve tuvo tú un una unas uno unos usa usar usted ustedes va vamos
    van vas veces ventana ver verdad verde vez vida vieja viejo vino visto vive viven vivir vivo
    vosotros voy y ya yo él éramos ésa ésos ésta éste éxito`,
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
