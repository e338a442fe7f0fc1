/** A browser sends a form by itself only while no script of the page has taken it over, or if there are no scripts. */
export const isSentByBrowser = ({ headers }: Request): boolean =>
  headers.get('sec-fetch-mode') === 'navigate';

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** The page with the form, if it is of the same website: another one gets no link here. */
function wayBack({ headers, url }: Request): string {
  const page = URL.parse(headers.get('referer') ?? '');
  // A path that begins with two slashes would name another host.
  return page?.host === new URL(url).host ? page.pathname.replace(/^[/\\]+/, '/') + page.search : '/';
}

/** A title, what it means, and the way back. */
type Texts = readonly [string, string, string];

const english: Texts = [
  'Nothing was done yet',
  'The page could not ask your device yet: it was still loading, or scripts are turned off.',
  'Back to the form',
];

const texts: Readonly<Record<string, Texts>> = {
  en: english,
  de: [
    'Noch ist nichts geschehen',
    'Die Seite konnte Ihr Gerät noch nicht fragen: Sie wurde noch geladen, oder Skripte sind ausgeschaltet.',
    'Zurück zum Formular',
  ],
  fr: [
    'Rien n’a encore été fait',
    'La page n’a pas encore pu interroger votre appareil\u00a0: elle se chargeait encore, ou les scripts sont désactivés.',
    'Retour au formulaire',
  ],
  es: [
    'Aún no se ha hecho nada',
    'La página aún no ha podido preguntar a su dispositivo: todavía se estaba cargando, o los scripts están desactivados.',
    'Volver al formulario',
  ],
  nl: [
    'Er is nog niets gedaan',
    'De pagina kon uw apparaat nog niet vragen: ze werd nog geladen, of scripts staan uit.',
    'Terug naar het formulier',
  ],
};

/** The first language of the visitor that there is. Browsers name the preferred one first. */
function languageOf({ headers }: Request): string {
  const wanted = (headers.get('accept-language') ?? '').split(',');
  const languages = wanted.map((range) =>
    range
      .trim()
      .toLowerCase()
      .replace(/[-;].*/, ''),
  );
  return languages.find((language) => Object.hasOwn(texts, language)) ?? 'en';
}

/** Back in the history, where the form still says what the user typed. The link alone would load the page anew. */
const goBack = 'document.links[0].onclick=()=>history.length==1||!!history.back()';

/** The hash of {@link goBack}, by which a content security policy allows it alone. */
export const goBackHash = 'sha256-wFdyC4oabbELEUdQmp9Zg7G27gHlW5HmsA+6X8u0cfQ=';

/** What a user sees whose form came without a confirmation, because no script of the page could ask for one. */
export function pageWithoutScript(request: Request): string {
  const language = languageOf(request);
  const [title, text, back] = texts[language] ?? english;
  return `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${title}</title>
  </head>
  <body>
    <main>
      <h1>${title}</h1>
      <p>${text}</p>
      <p><a href="${escaped(wayBack(request))}">${back}</a></p>
    </main>
    <script>${goBack}</script>
  </body>
</html>
`;
}
