import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

import { foreignLanguage, guessLanguage } from "../../../static/js/core/language_guess.js";

const KNOWN = ["en", "fr", "de", "es"];
const weights = new URL("../../../models/weights/", import.meta.url);
const translators = readdirSync(weights)
  .map((name) => new URL(`${name}/config.json`, weights))
  .filter((file) => existsSync(file))
  .map((file) => JSON.parse(readFileSync(file, "utf8")))
  .filter(({ task }) => task === "translate");

/** @type {Record<string, string[]>} */
const SENTENCES = {
  de: [
    "Ich habe gestern einen alten Freund getroffen.",
    "Wo ist der Bahnhof?",
    "Kannst du mir bitte helfen?",
    "Zwei Männer spielen Fußball am Strand.",
    "GUTEN MORGEN, WIE GEHT ES DIR?",
    "Das Buch liegt auf dem Tisch.",
    "wir gehen heute nicht zur schule",
  ],
  fr: [
    "Où est la gare ?",
    "Je ne sais pas où elle habite.",
    "J’aime beaucoup l’été à la mer.",
    "C'est la plus belle maison du village.",
    "Un homme en chemise verte est debout devant un grand bâtiment.",
    "ou est le chat de ma soeur",
  ],
  es: [
    "¿Dónde está la biblioteca?",
    "No me gusta levantarme temprano.",
    "Mi viejo amigo vive en la casa blanca.",
    "Hace mucho tiempo que no te veo.",
    "Los niños juegan con un perro en el parque.",
  ],
  en: [
    "The white house on the hill belongs to my old friend.",
    "I don't know what you're talking about.",
    "She asked me if I had seen the new film.",
    "It was raining so hard that we stayed at home.",
  ],
};

test("sentences are taken for their own language", () => {
  for (const [code, sentences] of Object.entries(SENTENCES))
    for (const sentence of sentences) assert.equal(guessLanguage(sentence), code, sentence);
});

test("no example of a translator looks foreign to it", () => {
  assert.ok(translators.length > 5);
  for (const { source, examples } of translators)
    for (const example of examples) {
      assert.equal(foreignLanguage(example, source.code, KNOWN), null, example);
      const phrase = example.split(" ").length <= 3; // too short to be sure of its language
      assert.equal(guessLanguage(example), phrase ? null : source.code, example);
    }
});

test("English with foreign words and names in it is English, or unclear", () => {
  const mixed = [
    "Die Hard is a film with Bruce Willis.",
    "He ordered a café au lait and a pain au chocolat.",
    "She said “ich liebe dich” and left.",
    "My friend Jürgen lives in Köln and works for Müller.",
    "El Niño brings rain to Peru.",
    "The Schadenfreude of the Zeitgeist.",
    "Les Misérables and La Bohème",
    "He was war minister when the man met his son in the bar.",
  ];
  for (const text of mixed) assert.equal(foreignLanguage(text, "en", KNOWN), null, text);
});

test("it is silent where nothing is clear", () => {
  const unclear = [
    "",
    "   ",
    "?!…",
    "12.5 % of 3,000",
    "👩‍🚀 🎉",
    "a",
    "no",
    "Die",
    "Berlin",
    "Der Spiegel",
    "La La Land",
    "Angela Merkel, Emmanuel Macron",
    "hotel taxi internet",
    "asdf qwer zxcv uiop",
    "https://example.org/der/die/das?la=le",
    "def f(x): return x if x in es else de",
    "שלום עולם",
    "Привет, как дела?",
    "東京は大きい",
    "\ud83d half a pair",
    "ä".repeat(2000),
  ];
  for (const text of unclear)
    assert.equal(foreignLanguage(text, "en", KNOWN), null, JSON.stringify(text.slice(0, 40)));
});

test("relatives of the languages of the catalogue are not taken for them", () => {
  const others = [
    "Ik weet niet waar zij woont, maar zij heeft een hond.",
    "Der er en hund i huset, og den er meget stor.",
    "Jag vet inte var hon bor, men hon har en hund.",
    "Eu não sei onde ela mora, mas ela tem um cachorro.",
    "Non so dove abita, ma ha un cane molto grande.",
    "No sé on viu, però té un gos molt gran.",
    "Nu știu unde locuiește, dar are un câine mare.",
    "Nevím, kde bydlí, ale má velkého psa.",
    "Nie wiem, gdzie ona mieszka, ale ma dużego psa.",
    "Nerede oturduğunu bilmiyorum ama büyük bir köpeği var.",
    "Non est ad astra mollis e terris via.",
    "Mi ne scias kie ŝi loĝas, sed ŝi havas hundon.",
  ];
  for (const text of others) assert.equal(foreignLanguage(text, "en", KNOWN), null, text);
});

test("only a language that the page can name is answered, and never the expected one", () => {
  const [german] = SENTENCES.de;
  assert.equal(foreignLanguage(german, "en", ["en", "de"]), "de");
  assert.equal(foreignLanguage(german, "de", ["en", "de"]), null);
  assert.equal(foreignLanguage(german, "en", ["en", "fr"]), null);
  assert.equal(foreignLanguage(german, "iso8601", ["en", "de"]), null);
});

test("composed and decomposed letters are the same, and so are apostrophes", () => {
  const text = "J’ai très faim, où est l’école ?";
  for (const form of [text.normalize("NFD"), text.replaceAll("’", "'")])
    assert.equal(guessLanguage(form), "fr");
});

test("a long text takes no long time", () => {
  const text = `${SENTENCES.de.join(" ")} `.repeat(200);
  assert.equal(guessLanguage(text), "de");
});
