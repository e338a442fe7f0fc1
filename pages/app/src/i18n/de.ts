import type { Texts } from './en.ts';

export const de: Texts = {
  appName: 'OMI',
  skipToContent: 'Zum Inhalt springen',
  loading: 'Wird geladen …',
  back: 'Zurück',
  cancel: 'Abbrechen',
  done: 'Fertig',
  continue: 'Weiter',
  tryAgain: 'Erneut versuchen',
  nav: { label: 'Hauptmenü', home: 'Anfragen', history: 'Verlauf', settings: 'Einstellungen' },
  banner: {
    offline: 'Sie sind offline. Sie können alles ansehen, aber zum Antworten brauchen Sie eine Verbindung.',
    unreachable: 'Der Dienst ist gerade nicht erreichbar. Die App versucht es weiter.',
    clock: (offset, isFast) =>
      `Die Uhr dieses Geräts geht ${offset} ${isFast ? 'vor' : 'nach'}. Die App richtet sich nach der Zeit des Dienstes, Sie können also weitermachen. Stellen Sie die Uhr bei Gelegenheit richtig.`,
    update: 'Eine neue Version der App ist bereit.',
    updateNow: 'Jetzt aktualisieren',
    lost: (name) => `Der Schlüssel von „${name}“ ist verloren gegangen`,
    lostText:
      'Der Browser hat die Daten dieser App gelöscht. Dieses Gerät kann deshalb für das Konto nicht mehr antworten. Öffnen Sie einen neuen Einrichtungslink der Website, um es wieder einzurichten.',
    enrolAgain: 'Neu einrichten',
    understood: 'Verstanden',
    removed: (name) => `„${name}“ wurde entfernt`,
    removedText:
      'Der Dienst kennt dieses Gerät nicht mehr, daher kommen hier keine Anfragen an. Öffnen Sie einen neuen Einrichtungslink der Website, um es wieder einzurichten.',
    removeHere: 'Von diesem Gerät löschen',
    pushOff: 'Benachrichtigungen sind aus',
    pushOffText: 'Sie sehen Anfragen nur, solange diese App geöffnet ist.',
    pushRevoked: 'Benachrichtigungen wurden ausgeschaltet',
    pushRevokedText:
      'Der Browser erlaubt der App keine Benachrichtigungen mehr. Sie sehen Anfragen nur, solange sie geöffnet ist.',
    pushUnreachable: 'Benachrichtigungen kommen gerade nicht an',
    pushUnreachableText:
      'Die App richtet sie von selbst neu ein. Bis dahin sehen Sie Anfragen nur, während diese App offen ist.',
    pushSettings: 'So beheben Sie das',
  },
  units: {
    seconds: (count) => (count === 1 ? '1 Sekunde' : `${count} Sekunden`),
    minutes: (count) => (count === 1 ? '1 Minute' : `${count} Minuten`),
    hours: (count) => (count === 1 ? '1 Stunde' : `${count} Stunden`),
    days: (count) => (count === 1 ? '1 Tag' : `${count} Tage`),
  },
  home: {
    title: 'Anfragen',
    emptyTitle: 'Nichts zu bestätigen',
    emptyText: 'Wenn eine Website Ihre Bestätigung braucht, erscheint die Anfrage hier.',
    offlineTitle: 'Sie sind offline',
    offlineText: 'Wartende Anfragen erscheinen, sobald eine Verbindung besteht.',
    unaskedTitle: 'Die Anfragen konnten nicht geladen werden',
    unaskedText: 'Vielleicht wartet eine Anfrage. Sie erscheint, sobald der Dienst erreichbar ist.',
    waiting: (count) =>
      count === 1 ? '1 Anfrage wartet auf Ihre Antwort' : `${count} Anfragen warten auf Ihre Antwort`,
    review: 'Ansehen',
    left: (time) => `noch ${time}`,
    welcomeTitle: 'Mit diesem Gerät bestätigen',
    welcomeText:
      'Richten Sie dieses Gerät einmal ein. Danach bestätigen Sie hier Zahlungen und andere wichtige Vorgänge, und ohne das Gerät kann das niemand.',
    welcomeStart: 'Gerät einrichten',
    welcomeHow:
      'Sie brauchen einen Einrichtungslink: einen QR-Code oder einen Link, den Ihre Website anzeigt.',
    checked: 'Wartet auf Anfragen',
  },
  challenge: {
    title: 'Diese Anfrage bestätigen?',
    from: 'Von',
    requestedFrom: 'Herkunft',
    unusual: 'Von hier aus haben Sie noch nie etwas bestätigt.',
    usually: 'Beim letzten Mal war es:',
    group: 'Entscheidung',
    groupText: (required, of) =>
      required === of
        ? `Alle ${of} Gefragten müssen bestätigen`
        : `${required} von ${of} Gefragten müssen bestätigen`,
    votes: (count, of) =>
      count === 0
        ? 'Noch niemand hat bestätigt'
        : count === 1
          ? `1 von ${of} hat bestätigt`
          : `${count} von ${of} haben bestätigt`,
    account: 'Ihr Konto',
    unknownRequester: 'Eine Website, die diesen Dienst nutzt',
    via: (client) => `über ${client}`,
    purposes: {
      'add-device': 'Damit darf ein neues Gerät zu Ihrem Konto hinzugefügt werden.',
      'remove-device': 'Damit darf ein Gerät aus Ihrem Konto entfernt werden.',
    },
    thisDevice: 'dieses Gerät',
    otherPurpose: 'Zweck',
    message: 'Anfrage',
    details: 'Einzelheiten',
    rawDetails: 'Diese Einzelheiten lassen sich nicht aufbereiten. Das ist ihr vollständiger Text:',
    emptyList: 'leer',
    yes: 'ja',
    no: 'nein',
    none: 'keine Angabe',
    timeLeft: 'Verbleibende Zeit',
    announce: (time) => `Noch ${time} zum Antworten.`,
    pickTitle: 'Welche Zahl zeigt die Website?',
    pickHint: 'Wählen Sie sie aus, bevor Sie bestätigen.',
    typeTitle: 'Geben Sie die Zahl ein, die die Website zeigt',
    confirm: 'Bestätigen',
    confirmUnverified: 'Ohne diese Prüfung bestätigen',
    deny: 'Ablehnen',
    notMe: 'Das war ich nicht',
    hint: 'Bestätigen Sie nur, was Sie selbst begonnen haben. Wenn nicht, wählen Sie „Das war ich nicht“.',
    needsPasskey: 'Sie bestätigen mit Fingerabdruck, Gesicht oder PIN.',
    sending: 'Ihre Antwort wird gesendet …',
    verifying: 'Warten auf Fingerabdruck, Gesicht oder PIN …',
    goneTitle: 'Diese Anfrage ist nicht offen',
    goneText: 'Sie wurde beantwortet, zurückgezogen oder ist abgelaufen.',
    unknownTitle: 'Die Anfrage kann gerade nicht geladen werden',
    unknownText: 'Es gibt keine Verbindung zum Dienst. Die App versucht es weiter.',
    searching: 'Die Anfrage wird gesucht …',
    problems: {
      'number-missing': 'Wählen Sie die Zahl aus, die die Website zeigt.',
      'number-format': 'Die Zahl hat 6 Ziffern. Geben Sie sie so ein, wie die Website sie zeigt.',
      'verification-cancelled':
        'Fingerabdruck, Gesicht oder PIN wurden nicht geprüft. Es wurde noch nichts bestätigt.',
      'verification-needed':
        'Diese Anfrage verlangt Fingerabdruck, Gesicht oder PIN. Tippen Sie noch einmal auf „Bestätigen“.',
      'verification-failed':
        'Die Prüfung von Fingerabdruck, Gesicht oder PIN wurde nicht anerkannt. Bitte versuchen Sie es noch einmal.',
      'passkey-counter':
        'Der Passkey dieses Geräts wurde kopiert oder wiederhergestellt und wird nicht mehr anerkannt. Richten Sie das Gerät mit einem neuen Einrichtungslink neu ein. Ablehnen können Sie trotzdem.',
      'passkey-missing':
        'Diese Anfrage verlangt Fingerabdruck, Gesicht oder PIN, und auf diesem Gerät gibt es für das Konto keinen Passkey. Richten Sie das Gerät mit einem neuen Einrichtungslink neu ein. Ablehnen können Sie trotzdem.',
      'not-sent':
        'Ihre Antwort ist vielleicht nicht angekommen. Prüfen Sie die Verbindung und tippen Sie noch einmal auf dieselbe Schaltfläche.',
      clock:
        'Der Dienst nimmt die Uhrzeit dieses Geräts nicht an. Stellen Sie die Uhr richtig und versuchen Sie es noch einmal.',
      unexpected: 'Etwas ist schiefgegangen. Es wurde nichts bestätigt. Bitte versuchen Sie es noch einmal.',
    },
  },
  result: {
    confirmed: {
      title: 'Bestätigt',
      text: 'Ihre Antwort ist angekommen. Sie können zur Website zurückkehren.',
    },
    denied: {
      title: 'Abgelehnt',
      text: 'Es wird nichts ausgeführt. Die Website weiß, dass Sie abgelehnt haben.',
    },
    not_me: {
      title: 'Gemeldet: Das waren Sie nicht',
      text: 'Die Anfrage wurde gestoppt. Vielleicht kennt jemand Ihr Passwort: Ändern Sie es und informieren Sie den Support der Website.',
    },
    expired: {
      title: 'Die Zeit ist abgelaufen',
      text: 'Die Anfrage endete ohne Antwort. Wenn sie von Ihnen war, beginnen Sie auf der Website noch einmal.',
    },
    failed: {
      title: 'Falsche Zahl',
      text: 'Die Anfrage wurde zu Ihrer Sicherheit gestoppt. Wenn sie von Ihnen war, beginnen Sie auf der Website noch einmal.',
    },
    cancelled: {
      title: 'Nicht mehr offen',
      text: 'Die Website hat die Anfrage zurückgezogen, oder sie wurde schon beantwortet.',
    },
    mismatch: {
      title: 'Bestätigen wäre nicht sicher',
      text: 'Was angekommen ist, passt nicht zu seiner Signatur. Die App hat deshalb nicht geantwortet. Informieren Sie den Support der Website.',
    },
    elsewhere: 'Sie wurde in einem anderen Fenster dieser App beantwortet.',
    next: 'Nächste Anfrage',
    back: (website: string) => `Zurück zu ${website}`,
    home: 'Zurück zu den Anfragen',
  },
  history: {
    title: 'Verlauf',
    text: 'Was Sie auf diesem Gerät beantwortet haben. Es wird nur hier gespeichert.',
    emptyTitle: 'Noch keine Antworten',
    emptyText: 'Hier stehen die Anfragen, die Sie auf diesem Gerät beantworten.',
    verified: 'mit Fingerabdruck, Gesicht oder PIN',
    outcomes: {
      confirmed: 'Bestätigt',
      denied: 'Abgelehnt',
      not_me: 'War ich nicht',
      expired: 'Abgelaufen',
      failed: 'Falsche Zahl',
      cancelled: 'Zurückgezogen',
    },
  },
  settings: {
    title: 'Einstellungen',
    accounts: 'Konten auf diesem Gerät',
    noAccounts: 'Dieses Gerät ist für kein Konto eingerichtet.',
    add: 'Konto hinzufügen',
    device: 'Gerätename',
    since: 'Eingerichtet am',
    lastUsed: 'Zuletzt benutzt am',
    passkey: 'Fingerabdruck, Gesicht oder PIN',
    passkeyOn: 'eingerichtet',
    passkeyOff: 'nicht eingerichtet',
    support: 'Hilfe',
    rename: 'Umbenennen',
    renameLabel: (name) => `Gerät für ${name} umbenennen`,
    remove: 'Entfernen',
    removeLabel: (name) => `${name} entfernen`,
    notifications: 'Benachrichtigungen',
    enable: 'Benachrichtigungen einschalten',
    language: 'Sprache',
    installTitle: 'App installieren',
    installText:
      'Vom Startbildschirm oder Desktop aus öffnet sie sich schneller und in einem eigenen Fenster.',
    install: 'Installieren',
    languageAuto: 'Wie im Browser',
    imprint: 'Impressum',
    privacy: 'Datenschutz',
    push: {
      active: 'An. Sie werden über jede Anfrage benachrichtigt.',
      prompt: 'Aus. Sie sehen Anfragen nur, solange diese App geöffnet ist.',
      denied: 'In diesem Browser blockiert. Sie sehen Anfragen nur, solange diese App geöffnet ist.',
      unsupported:
        'Dieser Browser kann Sie nicht benachrichtigen. Sie sehen Anfragen nur, solange diese App geöffnet ist.',
      'needs-install':
        'Auf diesem Gerät gibt es Benachrichtigungen nur für Apps auf dem Home-Bildschirm. Fügen Sie die App dort hinzu und richten Sie sie von dort aus neu ein.',
      revoked: 'Im Browser ausgeschaltet. Sie sehen Anfragen nur, solange diese App geöffnet ist.',
      unreachable:
        'Erlaubt, aber Benachrichtigungen kommen gerade nicht an. Die App richtet sie von selbst neu ein.',
    },
    mendTitle: 'So erlauben Sie Benachrichtigungen wieder',
    mend: [
      'Öffnen Sie die Einstellungen dieser Website: das Symbol neben der Adresse oder langes Drücken auf das App-Symbol.',
      'Stellen Sie Benachrichtigungen auf „Zulassen“.',
      'Kommen Sie hierher zurück. Die App bemerkt die Änderung.',
    ],
  },
  rename: {
    title: 'Dieses Gerät umbenennen',
    save: 'Namen speichern',
    working: 'Wird gespeichert…',
    failed:
      'Der Name wurde nicht geändert, weil der Dienst nicht erreichbar war. Versuchen Sie es erneut, wenn Sie online sind.',
  },
  remove: {
    title: 'Dieses Konto entfernen?',
    text: 'Dieses Gerät kann dann für das Konto nicht mehr bestätigen. Um es wieder zu nutzen, brauchen Sie einen neuen Einrichtungslink.',
    last: 'Ist das Ihr einziges Gerät für das Konto? Dann richten Sie erst das neue ein: Danach brauchen Sie vielleicht den Kundendienst der Website.',
    cancelled: 'Es wurde nichts entfernt, weil Fingerabdruck, Gesicht oder PIN nicht geprüft wurde.',
    unverified:
      'Die Website entfernt dieses Gerät nur, wenn hier Fingerabdruck, Gesicht oder PIN geprüft wurde. Sonst entfernen Sie es auf der Website.',
    open: 'Eine Anfrage, die auf diesem Gerät offen ist, wird abgebrochen.',
    confirm: 'Konto entfernen',
    working: 'Wird entfernt …',
    failed:
      'Der Dienst war nicht erreichbar. Das Konto wurde dort nicht entfernt. Versuchen Sie es noch einmal, wenn Sie online sind.',
    onlyHere: 'Nur auf diesem Gerät löschen',
    onlyHereText: 'Die Website führt dieses Gerät weiter auf, bis Sie es dort entfernen.',
    unknown: 'Dieses Konto gibt es auf diesem Gerät nicht mehr.',
  },
  enrol: {
    title: 'Gerät einrichten',
    intro:
      'Öffnen Sie auf Ihrer Website die Seite zum Einrichten. Sie zeigt einen QR-Code oder, auf diesem Gerät, einen Link.',
    scan: 'QR-Code scannen',
    linkLabel: 'Einrichtungslink',
    linkHint: 'Er beginnt mit https:// und enthält einen Code, der einmal gilt.',
    useLink: 'Diesen Link verwenden',
    scanTitle: 'QR-Code scannen',
    scanText: 'Richten Sie die Kamera auf den QR-Code des anderen Bildschirms.',
    scanStarting: 'Die Kamera wird gestartet …',
    camera: 'Kamerabild',
    stopScan: 'Scannen beenden',
    installTitle: 'Fügen Sie diese App zuerst zum Home-Bildschirm hinzu',
    installText: 'Auf iPhone und iPad können nur Apps auf dem Home-Bildschirm Sie benachrichtigen.',
    installSteps: [
      'Tippen Sie in der Leiste des Browsers auf das Teilen-Symbol.',
      'Wählen Sie „Zum Home-Bildschirm“ und dann „Hinzufügen“.',
      'Öffnen Sie die App vom Home-Bildschirm. Scannen Sie dort den Einrichtungslink oder fügen Sie ihn ein.',
    ],
    installCopy: 'Einrichtungslink kopieren',
    installCopied: 'Link kopiert. Er gilt etwa 10 Minuten.',
    installSkip: 'Hier ohne Benachrichtigungen weitermachen',
    checking: 'Der Link wird geprüft …',
    forWhom: 'Fahren Sie nur fort, wenn Sie dieses Konto kennen.',
    nameTitle: 'Geben Sie dem Gerät einen Namen',
    nameText: 'Diesen Namen sehen Sie in der Liste Ihrer Geräte.',
    nameLabel: 'Gerätename',
    nameMissing: 'Geben Sie einen Namen für dieses Gerät ein.',
    pushTitle: 'Benachrichtigungen erlauben',
    pushText:
      'Eine Benachrichtigung sagt Ihnen sofort, wenn eine Website Ihre Bestätigung braucht. Gleich fragt Sie der Browser um Erlaubnis. Etwas anderes sendet die App nicht.',
    pushAllow: 'Benachrichtigungen erlauben',
    pushAsking: 'Warten auf Ihre Auswahl …',
    pushSkip: 'Nicht jetzt',
    pushDenied: 'Benachrichtigungen sind für diese App blockiert',
    pushDeniedText:
      'Sie können weitermachen. Anfragen sehen Sie dann nur, solange die App geöffnet ist, bis Sie Benachrichtigungen in den Einstellungen dieser Website im Browser erlauben.',
    passkeyTitle: 'Fingerabdruck, Gesicht oder PIN verwenden',
    passkeyText:
      'Mit einem Passkey bestätigen Sie wichtige Anfragen so, wie Sie dieses Gerät entsperren. Niemand sonst, der es in der Hand hat, kann das.',
    passkeyRequired: 'Die Website verlangt das, um das Gerät einzurichten.',
    passkeyCreate: 'Passkey einrichten',
    passkeySkip: 'Ohne Passkey weitermachen',
    passkeyProblems: {
      cancelled: 'Der Passkey wurde nicht erstellt. Sie können es noch einmal versuchen.',
      unavailable:
        'Auf diesem Gerät lässt sich gerade kein Passkey erstellen. Schalten Sie die Bildschirmsperre ein und versuchen Sie es noch einmal.',
    },
    working: 'Das Gerät wird eingerichtet …',
    doneTitle: 'Dieses Gerät ist bereit',
    doneText: 'Sie können jetzt Anfragen für dieses Konto bestätigen:',
    doneNoPush:
      'Lassen Sie die App geöffnet oder öffnen Sie sie, wenn eine Website auf Ihre Bestätigung wartet.',
    problems: {
      'invalid-link':
        'Das ist kein vollständiger Einrichtungslink. Scannen Sie den QR-Code noch einmal oder kopieren Sie den ganzen Link.',
      'unsupported-link':
        'Dieser Link braucht eine neuere Version der App. Laden Sie die App neu und versuchen Sie es noch einmal.',
      'foreign-link':
        'Dieser Link gehört zu einem anderen Dienst. Öffnen Sie ihn mit der App dieses Dienstes.',
      'service-unknown':
        'Der Dienst war nicht erreichbar. Prüfen Sie die Verbindung und versuchen Sie es noch einmal.',
      'no-camera': 'Es wurde keine Kamera gefunden. Fügen Sie stattdessen den Link ein.',
      denied:
        'Die App darf die Kamera nicht benutzen. Fügen Sie den Link ein oder erlauben Sie dieser Website die Kamera.',
      busy: 'Eine andere App benutzt die Kamera. Schließen Sie diese App oder fügen Sie den Link ein.',
    },
    failedTitle: 'Das Gerät wurde nicht eingerichtet',
    failures: {
      'enrolment-not-found':
        'Der Code in diesem Link ist nicht bekannt. Lassen Sie sich auf der Website einen neuen geben.',
      'enrolment-code-used':
        'Der Code in diesem Link wurde schon benutzt. Jeder Link richtet ein Gerät ein: Lassen Sie sich auf der Website einen neuen geben.',
      'enrolment-code-expired':
        'Der Code in diesem Link ist abgelaufen. Lassen Sie sich auf der Website einen neuen geben.',
      'too-many-devices':
        'Sie haben so viele Geräte, wie erlaubt sind. Entfernen Sie auf der Website eines und versuchen Sie es noch einmal.',
      'confirmation-required':
        'Ein weiteres Gerät muss erst auf einem Ihrer Geräte bestätigt werden. Beginnen Sie auf der Website noch einmal.',
      'recovery-required':
        'Sie haben kein Gerät mehr, auf dem Sie ein neues bestätigen könnten. Der Kundendienst der Website kann Ihnen helfen.',
      'user-verification-required':
        'Die Website verlangt Fingerabdruck, Gesicht oder PIN, und dieser Browser kann sie nicht prüfen. Verwenden Sie einen anderen Browser oder ein anderes Gerät, oder schalten Sie die Bildschirmsperre ein.',
      'user-verification-failed':
        'Der Passkey wurde nicht anerkannt. Lassen Sie sich auf der Website einen neuen Link geben und versuchen Sie es noch einmal.',
      'clock-skew':
        'Der Dienst nimmt die Uhrzeit dieses Geräts nicht an. Stellen Sie die Uhr richtig und versuchen Sie es noch einmal.',
      network:
        'Der Dienst war nicht erreichbar. Prüfen Sie die Verbindung und versuchen Sie es noch einmal. Der Link gilt weiter.',
      other:
        'Etwas ist schiefgegangen. Bitte versuchen Sie es noch einmal. Wenn es wieder geschieht, lassen Sie sich auf der Website einen neuen Link geben.',
    },
    newLink: 'Anderen Link verwenden',
  },
  unsupported: {
    title: 'Die App läuft in diesem Browser nicht',
    text: 'Die App braucht einen sicheren Schlüsselspeicher, den dieser Browser nicht hat. Öffnen Sie sie in einer aktuellen Version von Chrome, Edge, Firefox oder Safari, und nicht in einem privaten Fenster.',
  },
};
