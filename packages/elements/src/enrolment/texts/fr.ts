import type { EnrolmentTexts } from './texts.ts';

export const fr: EnrolmentTexts = {
  label: 'Configurer un appareil',
  code: 'Code QR qui configure un appareil',
  account: 'Compte : {account}',
  open: 'Configurer cet appareil',
  again: 'Réessayer',
  newCode: 'Afficher un nouveau code',
  againIn: 'Vous pourrez réessayer dans {time}.',
  left: 'Valable encore {time}',
  late: 'N’est plus valable.',
  device: 'L’appareil',
  starting: ['Configurer un appareil', 'Création du code…'],
  waiting: [
    'Configurer un appareil',
    'Scannez le code avec l’appareil photo de votre téléphone. Ou configurez l’appareil que vous utilisez en ce moment.',
  ],
  local: [
    'Configurer un appareil',
    'Seule cette machine peut ouvrir le code, car il mène à localhost. Configurez l’appareil que vous utilisez en ce moment.',
  ],
  lost: [
    'Connexion perdue',
    'Vous pouvez toujours scanner le code. Le résultat s’affichera ici au retour de la connexion.',
  ],
  completed: ['Votre appareil est prêt', 'Vous pouvez maintenant confirmer avec lui : {device}'],
  expired: ['Le code a expiré', 'Aucun appareil n’a été configuré avec ce code.'],
  offline: ['Pas de connexion', 'Vérifiez votre connexion, puis réessayez.'],
  signedOut: ['Vous êtes déconnecté', 'Reconnectez-vous, puis configurez votre appareil.'],
  confirmFirst: [
    'Confirmez d’abord',
    'Un nouvel appareil doit être confirmé sur un appareil que vous avez déjà.',
  ],
  recoverFirst: [
    'Demandez de l’aide',
    'Vous n’avez plus d’appareil pour confirmer. Seul le service d’assistance peut maintenant en autoriser un autre.',
  ],
  refused: ['Impossible', 'Vous ne pouvez pas configurer d’appareil maintenant. {detail}'],
  tooMany: ['Trop de tentatives', 'Attendez un instant avant de réessayer.'],
  fault: ['Une erreur est survenue', 'Aucun appareil n’a été configuré. Veuillez réessayer dans un instant.'],
};
