import type { Texts } from './en.ts';

export const nl: Texts = {
  appName: 'OMI',
  skipToContent: 'Naar de inhoud',
  loading: 'Laden…',
  back: 'Terug',
  cancel: 'Annuleren',
  done: 'Klaar',
  continue: 'Doorgaan',
  tryAgain: 'Opnieuw proberen',
  nav: { label: 'Hoofdmenu', home: 'Verzoeken', history: 'Geschiedenis', settings: 'Instellingen' },
  banner: {
    offline: 'U bent offline. U kunt alles bekijken, maar om te antwoorden is een verbinding nodig.',
    unreachable: 'De dienst is op dit moment niet bereikbaar. De app blijft het proberen.',
    clock: (offset, isFast) =>
      `De klok van dit apparaat loopt ${offset} ${isFast ? 'voor' : 'achter'}. De app gebruikt de tijd van de dienst, dus u kunt gewoon doorgaan. Zet de klok goed wanneer het u uitkomt.`,
    update: 'Er staat een nieuwe versie van de app klaar.',
    updateNow: 'Nu bijwerken',
    lost: (name) => `De sleutel van ‘${name}’ is verdwenen`,
    lostText:
      'De browser heeft de gegevens van deze app verwijderd. Dit apparaat kan daarom niet meer antwoorden voor dat account. Open een nieuwe registratielink van de website om het opnieuw in te stellen.',
    enrolAgain: 'Opnieuw instellen',
    understood: 'Begrepen',
    removed: (name) => `‘${name}’ is verwijderd`,
    removedText:
      'De dienst kent dit apparaat niet meer, dus hier komen geen verzoeken binnen. Open een nieuwe registratielink van de website om het opnieuw in te stellen.',
    removeHere: 'Van dit apparaat wissen',
    pushOff: 'Meldingen staan uit',
    pushOffText: 'U ziet verzoeken alleen zolang deze app open is.',
    pushRevoked: 'Meldingen zijn uitgezet',
    pushRevokedText:
      'Deze browser laat de app geen meldingen meer tonen. U ziet verzoeken alleen zolang de app open is.',
    pushUnreachable: 'Meldingen komen op dit moment niet aan',
    pushUnreachableText:
      'De app stelt ze vanzelf opnieuw in. Tot die tijd ziet u verzoeken alleen terwijl deze app open is.',
    pushSettings: 'Zo lost u het op',
  },
  units: {
    seconds: (count) => (count === 1 ? '1 seconde' : `${count} seconden`),
    minutes: (count) => (count === 1 ? '1 minuut' : `${count} minuten`),
    hours: (count) => `${count} uur`,
    days: (count) => (count === 1 ? '1 dag' : `${count} dagen`),
  },
  home: {
    title: 'Verzoeken',
    emptyTitle: 'Niets te bevestigen',
    emptyText: 'Als een website uw bevestiging nodig heeft, verschijnt het verzoek hier.',
    offlineTitle: 'U bent offline',
    offlineText: 'Verzoeken die op u wachten, verschijnen zodra er verbinding is.',
    unaskedTitle: 'De verzoeken konden niet worden geladen',
    unaskedText: 'Misschien wacht er een verzoek. Het verschijnt zodra de dienst bereikbaar is.',
    waiting: (count) =>
      count === 1 ? '1 verzoek wacht op uw antwoord' : `${count} verzoeken wachten op uw antwoord`,
    review: 'Bekijken',
    left: (time) => `nog ${time}`,
    welcomeTitle: 'Bevestigen met dit apparaat',
    welcomeText:
      'Stel dit apparaat één keer in. Daarna bevestigt u hier betalingen en andere belangrijke handelingen, en kan niemand dat zonder dit apparaat.',
    welcomeStart: 'Dit apparaat instellen',
    welcomeHow: 'U hebt een registratielink nodig: een QR-code of een link die uw website toont.',
    checked: 'Wacht op verzoeken',
  },
  challenge: {
    title: 'Dit verzoek bevestigen?',
    from: 'Van',
    requestedFrom: 'Herkomst',
    unusual: 'U hebt hiervandaan nog nooit iets bevestigd.',
    usually: 'De laatste keer was het:',
    group: 'Beslissing',
    groupText: (required, of) =>
      required === of
        ? `Alle ${of} gevraagde personen moeten bevestigen`
        : `${required} van ${of} personen moeten bevestigen`,
    votes: (count, of) =>
      count === 0
        ? 'Nog niemand heeft bevestigd'
        : count === 1
          ? `1 van ${of} heeft bevestigd`
          : `${count} van ${of} hebben bevestigd`,
    account: 'Uw account',
    unknownRequester: 'Een website die deze dienst gebruikt',
    via: (client) => `via ${client}`,
    purposes: {
      'add-device': 'Hiermee mag een nieuw apparaat aan uw account worden toegevoegd.',
      'remove-device': 'Hiermee mag een apparaat uit uw account worden verwijderd.',
    },
    thisDevice: 'dit apparaat',
    otherPurpose: 'Doel',
    message: 'Verzoek',
    details: 'Details',
    rawDetails: 'Deze details kunnen niet worden opgemaakt. Dit is de volledige tekst:',
    emptyList: 'leeg',
    yes: 'ja',
    no: 'nee',
    none: 'geen',
    timeLeft: 'Resterende tijd',
    announce: (time) => `Nog ${time} om te antwoorden.`,
    pickTitle: 'Welk getal toont de website?',
    pickHint: 'Kies het voordat u bevestigt.',
    typeTitle: 'Typ het getal dat de website toont',
    confirm: 'Bevestigen',
    confirmUnverified: 'Zonder deze controle bevestigen',
    deny: 'Weigeren',
    notMe: 'Dit was ik niet',
    hint: 'Bevestig alleen wat u zelf bent begonnen. Was u het niet, kies dan ‘Dit was ik niet’.',
    needsPasskey: 'U bevestigt met uw vingerafdruk, gezicht of pincode.',
    sending: 'Uw antwoord wordt verzonden…',
    verifying: 'Wachten op vingerafdruk, gezicht of pincode…',
    goneTitle: 'Dit verzoek staat niet open',
    goneText: 'Het is beantwoord, ingetrokken of verlopen.',
    unknownTitle: 'Het verzoek kan nu niet worden geladen',
    unknownText: 'Er is geen verbinding met de dienst. De app blijft het proberen.',
    searching: 'Het verzoek wordt gezocht…',
    problems: {
      'number-missing': 'Kies het getal dat de website toont.',
      'number-format': 'Het getal heeft 6 cijfers. Typ het zoals de website het toont.',
      'verification-cancelled':
        'Uw vingerafdruk, gezicht of pincode is niet gecontroleerd. Er is nog niets bevestigd.',
      'verification-needed':
        'Voor dit verzoek is uw vingerafdruk, gezicht of pincode nodig. Druk nog een keer op ‘Bevestigen’.',
      'verification-failed':
        'De controle van uw vingerafdruk, gezicht of pincode is niet geaccepteerd. Probeer het opnieuw.',
      'passkey-counter':
        'De passkey van dit apparaat is gekopieerd of teruggezet en wordt niet meer geaccepteerd. Stel het apparaat opnieuw in met een nieuwe registratielink. Weigeren kan nog wel.',
      'passkey-missing':
        'Voor dit verzoek is uw vingerafdruk, gezicht of pincode nodig, en dit apparaat heeft geen passkey voor het account. Stel het apparaat opnieuw in met een nieuwe registratielink. Weigeren kan nog wel.',
      'not-sent':
        'Uw antwoord is misschien niet aangekomen. Controleer de verbinding en druk nog een keer op dezelfde knop.',
      clock: 'De dienst accepteert de klok van dit apparaat niet. Zet de klok goed en probeer het opnieuw.',
      unexpected: 'Er ging iets mis en er is niets bevestigd. Probeer het opnieuw.',
    },
  },
  result: {
    confirmed: { title: 'Bevestigd', text: 'Uw antwoord is aangekomen. U kunt teruggaan naar de website.' },
    denied: { title: 'Geweigerd', text: 'Er gebeurt niets. De website weet dat u nee hebt gezegd.' },
    not_me: {
      title: 'Gemeld: dit was u niet',
      text: 'Het verzoek is gestopt. Misschien kent iemand uw wachtwoord: wijzig het en neem contact op met de helpdesk van de website.',
    },
    expired: {
      title: 'De tijd is om',
      text: 'Het verzoek is verlopen zonder antwoord. Was het van u, begin dan opnieuw op de website.',
    },
    failed: {
      title: 'Verkeerd getal',
      text: 'Het verzoek is voor uw veiligheid gestopt. Was het van u, begin dan opnieuw op de website.',
    },
    cancelled: {
      title: 'Niet meer open',
      text: 'De website heeft het verzoek ingetrokken, of het was al beantwoord.',
    },
    mismatch: {
      title: 'Niet veilig om te bevestigen',
      text: 'Wat is ontvangen, past niet bij de handtekening. De app heeft daarom niet geantwoord. Neem contact op met de helpdesk van de website.',
    },
    elsewhere: 'Het is beantwoord in een ander venster van deze app.',
    next: 'Volgende verzoek',
    back: (website: string) => `Terug naar ${website}`,
    home: 'Terug naar verzoeken',
  },
  history: {
    title: 'Geschiedenis',
    text: 'Wat u op dit apparaat hebt beantwoord. Het wordt alleen hier bewaard.',
    emptyTitle: 'Nog geen antwoorden',
    emptyText: 'Hier staan de verzoeken die u op dit apparaat beantwoordt.',
    verified: 'met vingerafdruk, gezicht of pincode',
    outcomes: {
      confirmed: 'Bevestigd',
      denied: 'Geweigerd',
      not_me: 'Was ik niet',
      expired: 'Verlopen',
      failed: 'Verkeerd getal',
      cancelled: 'Ingetrokken',
    },
  },
  settings: {
    title: 'Instellingen',
    accounts: 'Accounts op dit apparaat',
    noAccounts: 'Dit apparaat is voor geen enkel account ingesteld.',
    add: 'Account toevoegen',
    device: 'Apparaatnaam',
    since: 'Ingesteld op',
    lastUsed: 'Laatst gebruikt op',
    passkey: 'Vingerafdruk, gezicht of pincode',
    passkeyOn: 'ingesteld',
    passkeyOff: 'niet ingesteld',
    support: 'Hulp',
    rename: 'Hernoemen',
    renameLabel: (name) => `Het apparaat voor ${name} hernoemen`,
    remove: 'Verwijderen',
    removeLabel: (name) => `${name} verwijderen`,
    notifications: 'Meldingen',
    enable: 'Meldingen aanzetten',
    language: 'Taal',
    installTitle: 'De app installeren',
    installText: 'Vanaf het beginscherm of het bureaublad opent de app sneller en in een eigen venster.',
    install: 'Installeren',
    languageAuto: 'Zoals in de browser',
    imprint: 'Colofon',
    privacy: 'Privacyverklaring',
    push: {
      active: 'Aan. U krijgt een melding van elk verzoek.',
      prompt: 'Uit. U ziet verzoeken alleen zolang deze app open is.',
      denied: 'Geblokkeerd in deze browser. U ziet verzoeken alleen zolang deze app open is.',
      unsupported: 'Deze browser kan geen meldingen tonen. U ziet verzoeken alleen zolang deze app open is.',
      'needs-install':
        'Op dit apparaat werken meldingen alleen voor apps op het beginscherm. Zet de app op het beginscherm en stel hem daar opnieuw in.',
      revoked: 'Uitgezet in de browser. U ziet verzoeken alleen zolang deze app open is.',
      unreachable:
        'Toegestaan, maar meldingen komen op dit moment niet aan. De app stelt ze vanzelf opnieuw in.',
    },
    mendTitle: 'Zo staat u meldingen weer toe',
    mend: [
      'Open de instellingen van deze site: het symbool naast het adres, of lang drukken op het pictogram van de app.',
      'Zet meldingen op ‘Toestaan’.',
      'Kom hier terug. De app merkt de wijziging op.',
    ],
  },
  rename: {
    title: 'Dit apparaat hernoemen',
    save: 'Naam opslaan',
    working: 'Opslaan…',
    failed:
      'De naam is niet gewijzigd, omdat de dienst niet bereikbaar was. Probeer het opnieuw als u online bent.',
  },
  remove: {
    title: 'Dit account verwijderen?',
    text: 'Dit apparaat kan dan niet meer bevestigen voor het account. Om het weer te gebruiken hebt u een nieuwe registratielink nodig.',
    last: 'Is dit uw enige apparaat voor het account? Stel dan eerst het nieuwe in: daarna hebt u misschien de helpdesk van de website nodig.',
    cancelled: 'Er is niets verwijderd, omdat vingerafdruk, gezicht of pincode niet is gecontroleerd.',
    unverified:
      'De website verwijdert dit apparaat alleen als hier vingerafdruk, gezicht of pincode is gecontroleerd. Verwijder het anders op de website.',
    open: 'Een verzoek dat op dit apparaat openstaat, wordt geannuleerd.',
    confirm: 'Account verwijderen',
    working: 'Verwijderen…',
    failed:
      'De dienst was niet bereikbaar, dus daar is het account niet verwijderd. Probeer het opnieuw wanneer u online bent.',
    onlyHere: 'Alleen op dit apparaat wissen',
    onlyHereText: 'De website blijft dit apparaat tonen totdat u het daar verwijdert.',
    unknown: 'Dit account staat niet meer op dit apparaat.',
  },
  enrol: {
    title: 'Dit apparaat instellen',
    intro:
      'Open op uw website de pagina om een apparaat te registreren. Die toont een QR-code of, op dit apparaat, een link.',
    scan: 'QR-code scannen',
    linkLabel: 'Registratielink',
    linkHint: 'De link begint met https:// en bevat een code die één keer werkt.',
    useLink: 'Deze link gebruiken',
    scanTitle: 'Scan de QR-code',
    scanText: 'Richt de camera op de QR-code op het andere scherm.',
    scanStarting: 'De camera wordt gestart…',
    camera: 'Camerabeeld',
    stopScan: 'Stoppen met scannen',
    installTitle: 'Zet deze app eerst op het beginscherm',
    installText: 'Op iPhone en iPad kunnen alleen apps op het beginscherm meldingen tonen.',
    installSteps: [
      'Tik op het deelsymbool in de balk van de browser.',
      'Kies ‘Zet op beginscherm’ en daarna ‘Voeg toe’.',
      'Open de app vanaf het beginscherm en scan of plak daar uw registratielink.',
    ],
    installCopy: 'Registratielink kopiëren',
    installCopied: 'Link gekopieerd. Hij werkt ongeveer 10 minuten.',
    installSkip: 'Hier doorgaan zonder meldingen',
    checking: 'De link wordt gecontroleerd…',
    forWhom: 'Ga alleen verder als u dit account kent.',
    nameTitle: 'Geef dit apparaat een naam',
    nameText: 'U ziet deze naam in de lijst met uw apparaten.',
    nameLabel: 'Apparaatnaam',
    nameMissing: 'Typ een naam voor dit apparaat.',
    pushTitle: 'Meldingen toestaan',
    pushText:
      'Een melding vertelt u meteen wanneer een website uw bevestiging nodig heeft. De browser vraagt u zo om toestemming. De app stuurt niets anders.',
    pushAllow: 'Meldingen toestaan',
    pushAsking: 'Wachten op uw keuze…',
    pushSkip: 'Niet nu',
    pushDenied: 'Meldingen zijn geblokkeerd voor deze app',
    pushDeniedText:
      'U kunt doorgaan. U ziet verzoeken dan alleen zolang de app open is, totdat u meldingen toestaat in de browserinstellingen van deze site.',
    passkeyTitle: 'Gebruik vingerafdruk, gezicht of pincode',
    passkeyText:
      'Met een passkey bevestigt u belangrijke verzoeken zoals u dit apparaat ontgrendelt. Niemand anders die het in handen heeft, kan dat.',
    passkeyRequired: 'De website vereist dit om het apparaat in te stellen.',
    passkeyCreate: 'Passkey instellen',
    passkeySkip: 'Zonder passkey doorgaan',
    passkeyProblems: {
      cancelled: 'De passkey is niet gemaakt. U kunt het opnieuw proberen.',
      unavailable:
        'Op dit apparaat kan nu geen passkey worden gemaakt. Zet de schermvergrendeling aan en probeer het opnieuw.',
    },
    working: 'Dit apparaat wordt ingesteld…',
    doneTitle: 'Dit apparaat is klaar',
    doneText: 'U kunt nu verzoeken voor dit account bevestigen:',
    doneNoPush: 'Houd de app open, of open de app wanneer een website op uw bevestiging wacht.',
    problems: {
      'invalid-link':
        'Dit is geen volledige registratielink. Scan de QR-code opnieuw of kopieer de hele link.',
      'unsupported-link':
        'Deze link heeft een nieuwere versie van de app nodig. Laad de app opnieuw en probeer het nog eens.',
      'foreign-link': 'Deze link hoort bij een andere dienst. Open hem met de app van die dienst.',
      'service-unknown': 'De dienst was niet bereikbaar. Controleer de verbinding en probeer het opnieuw.',
      'no-camera': 'Er is geen camera gevonden. Plak in plaats daarvan de link.',
      denied: 'De app mag de camera niet gebruiken. Plak de link, of sta de camera toe voor deze site.',
      busy: 'Een andere app gebruikt de camera. Sluit die app of plak de link.',
    },
    failedTitle: 'Dit apparaat is niet ingesteld',
    failures: {
      'enrolment-not-found': 'De code in deze link is niet bekend. Vraag de website om een nieuwe.',
      'enrolment-code-used':
        'De code in deze link is al gebruikt. Elke link stelt één apparaat in: vraag de website om een nieuwe.',
      'enrolment-code-expired': 'De code in deze link is verlopen. Vraag de website om een nieuwe.',
      'too-many-devices':
        'U hebt het toegestane aantal apparaten bereikt. Verwijder er een op de website en probeer het opnieuw.',
      'confirmation-required':
        'Een extra apparaat moet eerst op een van uw apparaten worden bevestigd. Begin opnieuw op de website.',
      'recovery-required':
        'U hebt geen apparaat meer om een nieuw mee te bevestigen. De helpdesk van de website kan u helpen.',
      'user-verification-required':
        'De website vereist vingerafdruk, gezicht of pincode, en deze browser kan die niet controleren. Gebruik een andere browser of een ander apparaat, of zet de schermvergrendeling aan.',
      'user-verification-failed':
        'De passkey is niet geaccepteerd. Vraag de website om een nieuwe link en probeer het opnieuw.',
      'clock-skew':
        'De dienst accepteert de klok van dit apparaat niet. Zet de klok goed en probeer het opnieuw.',
      network:
        'De dienst was niet bereikbaar. Controleer de verbinding en probeer het opnieuw. De link werkt nog.',
      other:
        'Er ging iets mis. Probeer het opnieuw. Gebeurt het weer, vraag de website dan om een nieuwe link.',
    },
    newLink: 'Een andere link gebruiken',
  },
  unsupported: {
    title: 'De app werkt niet in deze browser',
    text: 'De app heeft een veilige sleutelopslag nodig die deze browser niet heeft. Open de app in een recente versie van Chrome, Edge, Firefox of Safari, en niet in een privévenster.',
  },
};
