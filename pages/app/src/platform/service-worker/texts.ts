/** What a notification says if the push does not say it. */
type Texts = {
  title: string;
  body: string;
  expired: string;
  confirm: string;
  deny: string;
  confirmed: string;
  denied: string;
};

const english: Texts = {
  title: 'Confirmation request',
  body: 'Open the app to see what you are asked to confirm.',
  expired: 'This request has expired.',
  confirm: 'Confirm',
  deny: 'Deny',
  confirmed: 'Confirmed.',
  denied: 'Denied.',
};

const translations: Readonly<Record<string, Texts>> = {
  en: english,
  de: {
    title: 'Anfrage zur Bestätigung',
    body: 'Öffnen Sie die App, um zu sehen, was Sie bestätigen sollen.',
    expired: 'Diese Anfrage ist abgelaufen.',
    confirm: 'Bestätigen',
    deny: 'Ablehnen',
    confirmed: 'Bestätigt.',
    denied: 'Abgelehnt.',
  },
  nl: {
    title: 'Verzoek om bevestiging',
    body: 'Open de app om te zien wat u wordt gevraagd te bevestigen.',
    expired: 'Dit verzoek is verlopen.',
    confirm: 'Bevestigen',
    deny: 'Weigeren',
    confirmed: 'Bevestigd.',
    denied: 'Geweigerd.',
  },
  fr: {
    title: 'Demande de confirmation',
    body: 'Ouvrez l’application pour voir ce que vous devez confirmer.',
    expired: 'Cette demande a expiré.',
    confirm: 'Confirmer',
    deny: 'Refuser',
    confirmed: 'Confirmé.',
    denied: 'Refusé.',
  },
  es: {
    title: 'Solicitud de confirmación',
    body: 'Abra la aplicación para ver lo que se le pide confirmar.',
    expired: 'Esta solicitud ha caducado.',
    confirm: 'Confirmar',
    deny: 'Rechazar',
    confirmed: 'Confirmado.',
    denied: 'Rechazado.',
  },
};

/** The first of the user's languages that there is. */
export function textsIn(languages: readonly string[]): Texts {
  const known = languages.map((tag) => tag.slice(0, 2).toLowerCase()).find((tag) => tag in translations);
  return translations[known ?? 'en'] ?? english;
}
