import type { EnrolmentTexts } from './texts.ts';

export const de: EnrolmentTexts = {
  label: 'Gerät einrichten',
  code: 'QR-Code, der ein Gerät einrichtet',
  account: 'Konto: {account}',
  open: 'Dieses Gerät einrichten',
  again: 'Erneut versuchen',
  newCode: 'Neuen Code zeigen',
  againIn: 'Ein neuer Versuch ist in {time} möglich.',
  left: 'Gültig für {time}',
  late: 'Nicht mehr gültig.',
  device: 'Das Gerät',
  starting: ['Gerät einrichten', 'Der Code wird erzeugt …'],
  waiting: [
    'Gerät einrichten',
    'Scannen Sie den Code mit der Kamera Ihres Telefons. Oder richten Sie das Gerät ein, das Sie gerade benutzen.',
  ],
  local: [
    'Gerät einrichten',
    'Nur dieser Rechner kann den Code öffnen, da er zu localhost führt. Richten Sie das Gerät ein, das Sie gerade benutzen.',
  ],
  lost: [
    'Verbindung unterbrochen',
    'Sie können den Code weiterhin scannen. Das Ergebnis erscheint hier, sobald die Verbindung wieder da ist.',
  ],
  completed: ['Ihr Gerät ist bereit', 'Damit können Sie jetzt bestätigen: {device}'],
  expired: ['Der Code ist abgelaufen', 'Mit ihm wurde kein Gerät eingerichtet.'],
  offline: ['Keine Verbindung', 'Prüfen Sie Ihre Verbindung, dann versuchen Sie es erneut.'],
  signedOut: ['Sie sind abgemeldet', 'Melden Sie sich wieder an, dann richten Sie Ihr Gerät ein.'],
  confirmFirst: [
    'Bestätigen Sie zuerst',
    'Ein weiteres Gerät müssen Sie auf einem Gerät bestätigen, das Sie schon haben.',
  ],
  recoverFirst: [
    'Bitten Sie um Hilfe',
    'Sie haben kein Gerät mehr, auf dem Sie bestätigen können. Nur der Kundendienst kann jetzt ein neues zulassen.',
  ],
  refused: ['Nicht möglich', 'Sie können jetzt kein Gerät einrichten. {detail}'],
  tooMany: ['Zu viele Versuche', 'Warten Sie einen Moment, bevor Sie es erneut versuchen.'],
  fault: [
    'Etwas ist schiefgegangen',
    'Es wurde kein Gerät eingerichtet. Bitte versuchen Sie es gleich noch einmal.',
  ],
};
