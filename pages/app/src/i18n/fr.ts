import type { Texts } from './en.ts';

export const fr: Texts = {
  appName: 'OMI',
  skipToContent: 'Aller au contenu',
  loading: 'Chargement…',
  back: 'Retour',
  cancel: 'Annuler',
  done: 'Terminé',
  continue: 'Continuer',
  tryAgain: 'Réessayer',
  nav: { label: 'Menu principal', home: 'Demandes', history: 'Historique', settings: 'Réglages' },
  banner: {
    offline: 'Vous êtes hors ligne. Vous pouvez tout consulter, mais il faut une connexion pour répondre.',
    unreachable: 'Le service est injoignable pour le moment. L’application continue d’essayer.',
    clock: (offset, isFast) =>
      `L’horloge de cet appareil ${isFast ? 'avance' : 'retarde'} de ${offset}. L’application se règle sur l’heure du service : vous pouvez continuer. Pensez à remettre l’horloge à l’heure.`,
    update: 'Une nouvelle version de l’application est prête.',
    updateNow: 'Mettre à jour',
    lost: (name) => `La clé de « ${name} » a disparu`,
    lostText:
      'Le navigateur a effacé les données de cette application. Cet appareil ne peut donc plus répondre pour ce compte. Ouvrez un nouveau lien d’enregistrement du site pour le configurer à nouveau.',
    enrolAgain: 'Configurer à nouveau',
    understood: 'J’ai compris',
    removed: (name) => `« ${name} » a été supprimé`,
    removedText:
      'Le service ne connaît plus cet appareil : aucune demande n’arrive ici. Ouvrez un nouveau lien d’enregistrement du site pour le configurer à nouveau.',
    removeHere: 'Effacer de cet appareil',
    pushOff: 'Les notifications sont désactivées',
    pushOffText: 'Vous ne voyez les demandes que lorsque cette application est ouverte.',
    pushRevoked: 'Les notifications ont été désactivées',
    pushRevokedText:
      'Ce navigateur n’autorise plus l’application à vous avertir. Vous ne voyez les demandes que lorsqu’elle est ouverte.',
    pushUnreachable: 'Les notifications n’arrivent pas pour le moment',
    pushUnreachableText:
      'L’application les configure de nouveau d’elle-même. D’ici là, vous ne voyez les demandes que lorsque cette application est ouverte.',
    pushSettings: 'Voir comment faire',
  },
  units: {
    seconds: (count) => (count < 2 ? `${count} seconde` : `${count} secondes`),
    minutes: (count) => (count < 2 ? `${count} minute` : `${count} minutes`),
    hours: (count) => (count < 2 ? `${count} heure` : `${count} heures`),
    days: (count) => (count < 2 ? `${count} jour` : `${count} jours`),
  },
  home: {
    title: 'Demandes',
    emptyTitle: 'Rien à confirmer',
    emptyText: 'Quand un site a besoin de votre confirmation, la demande apparaît ici.',
    offlineTitle: 'Vous êtes hors ligne',
    offlineText: 'Les demandes en attente apparaissent dès que la connexion est rétablie.',
    unaskedTitle: 'Les demandes n’ont pas pu être chargées',
    unaskedText: 'Une demande attend peut-être. Elle apparaît dès que le service est joignable.',
    waiting: (count) =>
      count === 1 ? '1 demande attend votre réponse' : `${count} demandes attendent votre réponse`,
    review: 'Examiner',
    left: (time) => `encore ${time}`,
    welcomeTitle: 'Confirmer avec cet appareil',
    welcomeText:
      'Configurez cet appareil une fois. Vous confirmerez ensuite ici vos paiements et d’autres opérations sensibles, et personne ne pourra le faire sans lui.',
    welcomeStart: 'Configurer cet appareil',
    welcomeHow: 'Il vous faut un lien d’enregistrement : un code QR ou un lien affiché par votre site.',
    checked: 'En attente de demandes',
  },
  challenge: {
    title: 'Confirmer cette demande ?',
    from: 'De',
    requestedFrom: 'Origine',
    unusual: 'Vous n’avez encore rien confirmé depuis cet endroit.',
    usually: 'La dernière fois, c’était :',
    group: 'Décision',
    groupText: (required, of) =>
      required === of
        ? `Les ${of} personnes interrogées doivent confirmer`
        : `${required} personnes sur ${of} doivent confirmer`,
    votes: (count, of) =>
      count === 0
        ? 'Personne n’a encore confirmé'
        : count === 1
          ? `1 sur ${of} a confirmé`
          : `${count} sur ${of} ont confirmé`,
    account: 'Votre compte',
    unknownRequester: 'Un site qui utilise ce service',
    via: (client) => `via ${client}`,
    purposes: {
      'add-device': 'Cela permet d’ajouter un nouvel appareil à votre compte.',
      'remove-device': 'Cela permet de retirer un appareil de votre compte.',
    },
    thisDevice: 'cet appareil',
    otherPurpose: 'Objet',
    message: 'Demande',
    details: 'Détails',
    rawDetails: 'Ces détails ne peuvent pas être mis en forme. Voici leur texte complet :',
    emptyList: 'vide',
    yes: 'oui',
    no: 'non',
    none: 'aucun',
    timeLeft: 'Temps restant',
    announce: (time) => `Encore ${time} pour répondre.`,
    pickTitle: 'Quel nombre le site affiche-t-il ?',
    pickHint: 'Choisissez-le avant de confirmer.',
    typeTitle: 'Saisissez le nombre affiché par le site',
    confirm: 'Confirmer',
    confirmUnverified: 'Confirmer sans cette vérification',
    deny: 'Refuser',
    notMe: 'Ce n’était pas moi',
    hint: 'Ne confirmez que ce que vous avez vous-même lancé. Sinon, choisissez « Ce n’était pas moi ».',
    needsPasskey: 'Vous confirmez avec votre empreinte, votre visage ou votre code.',
    sending: 'Envoi de votre réponse…',
    verifying: 'En attente de l’empreinte, du visage ou du code…',
    goneTitle: 'Cette demande n’est pas ouverte',
    goneText: 'Elle a reçu une réponse, a été retirée ou a expiré.',
    unknownTitle: 'La demande ne peut pas être chargée maintenant',
    unknownText: 'Il n’y a pas de connexion avec le service. L’application continue d’essayer.',
    searching: 'Recherche de la demande…',
    problems: {
      'number-missing': 'Choisissez le nombre affiché par le site.',
      'number-format': 'Le nombre a 6 chiffres. Saisissez-le tel que le site l’affiche.',
      'verification-cancelled':
        'Votre empreinte, votre visage ou votre code n’ont pas été vérifiés. Rien n’a encore été confirmé.',
      'verification-needed':
        'Cette demande exige votre empreinte, votre visage ou votre code. Appuyez encore une fois sur « Confirmer ».',
      'verification-failed':
        'La vérification de l’empreinte, du visage ou du code n’a pas été acceptée. Veuillez réessayer.',
      'passkey-counter':
        'La clé d’accès de cet appareil a été copiée ou restaurée et n’est plus acceptée. Configurez-le à nouveau avec un nouveau lien d’enregistrement. Vous pouvez toujours refuser.',
      'passkey-missing':
        'Cette demande exige votre empreinte, votre visage ou votre code, et cet appareil n’a pas de clé d’accès pour ce compte. Configurez-le à nouveau avec un nouveau lien d’enregistrement. Vous pouvez toujours refuser.',
      'not-sent':
        'Votre réponse n’est peut-être pas arrivée. Vérifiez la connexion, puis appuyez à nouveau sur le même bouton.',
      clock:
        'Le service n’accepte pas l’heure de cet appareil. Remettez l’horloge à l’heure, puis réessayez.',
      unexpected: 'Un problème est survenu et rien n’a été confirmé. Veuillez réessayer.',
    },
  },
  result: {
    confirmed: { title: 'Confirmé', text: 'Votre réponse est arrivée. Vous pouvez revenir au site.' },
    denied: { title: 'Refusé', text: 'Rien n’a été exécuté. Le site sait que vous avez refusé.' },
    not_me: {
      title: 'Signalé : ce n’était pas vous',
      text: 'La demande a été arrêtée. Quelqu’un connaît peut-être votre mot de passe : changez-le et prévenez l’assistance du site.',
    },
    expired: {
      title: 'Le temps est écoulé',
      text: 'La demande s’est terminée sans réponse. Si elle venait de vous, recommencez sur le site.',
    },
    failed: {
      title: 'Nombre incorrect',
      text: 'La demande a été arrêtée pour votre sécurité. Si elle venait de vous, recommencez sur le site.',
    },
    cancelled: {
      title: 'Demande fermée',
      text: 'Le site a retiré la demande, ou elle avait déjà reçu une réponse.',
    },
    mismatch: {
      title: 'Confirmation non sûre',
      text: 'Ce qui a été reçu ne correspond pas à sa signature. L’application n’a donc pas répondu. Prévenez l’assistance du site.',
    },
    elsewhere: 'La réponse a été donnée dans une autre fenêtre de cette application.',
    next: 'Demande suivante',
    back: (website: string) => `Retour à ${website}`,
    home: 'Retour aux demandes',
  },
  history: {
    title: 'Historique',
    text: 'Vos réponses sur cet appareil. Elles ne sont conservées qu’ici.',
    emptyTitle: 'Aucune réponse',
    emptyText: 'Les demandes auxquelles vous répondez sur cet appareil figurent ici.',
    verified: 'avec empreinte, visage ou code',
    outcomes: {
      confirmed: 'Confirmée',
      denied: 'Refusée',
      not_me: 'Pas moi',
      expired: 'Expirée',
      failed: 'Nombre incorrect',
      cancelled: 'Retirée',
    },
  },
  settings: {
    title: 'Réglages',
    accounts: 'Comptes sur cet appareil',
    noAccounts: 'Cet appareil n’est configuré pour aucun compte.',
    add: 'Ajouter un compte',
    device: 'Nom de l’appareil',
    since: 'Configuré le',
    lastUsed: 'Dernière utilisation le',
    passkey: 'Empreinte, visage ou code',
    passkeyOn: 'configuré',
    passkeyOff: 'non configuré',
    support: 'Aide',
    rename: 'Renommer',
    renameLabel: (name) => `Renommer l’appareil pour ${name}`,
    remove: 'Supprimer',
    removeLabel: (name) => `Supprimer ${name}`,
    notifications: 'Notifications',
    enable: 'Activer les notifications',
    language: 'Langue',
    installTitle: 'Installer l’application',
    installText: 'Depuis l’écran d’accueil ou le bureau, elle s’ouvre plus vite et dans sa propre fenêtre.',
    install: 'Installer',
    languageAuto: 'Comme le navigateur',
    imprint: 'Mentions légales',
    privacy: 'Confidentialité',
    push: {
      active: 'Activées. Vous êtes averti de chaque demande.',
      prompt: 'Désactivées. Vous ne voyez les demandes que lorsque cette application est ouverte.',
      denied:
        'Bloquées dans ce navigateur. Vous ne voyez les demandes que lorsque cette application est ouverte.',
      unsupported:
        'Ce navigateur ne peut pas vous avertir. Vous ne voyez les demandes que lorsque cette application est ouverte.',
      'needs-install':
        'Sur cet appareil, les notifications ne fonctionnent que pour les applications de l’écran d’accueil. Ajoutez-y l’application et configurez-la à nouveau depuis cet écran.',
      revoked:
        'Désactivées dans le navigateur. Vous ne voyez les demandes que lorsque cette application est ouverte.',
      unreachable:
        'Autorisées, mais elles n’arrivent pas pour le moment. L’application les configure de nouveau d’elle-même.',
    },
    mendTitle: 'Comment autoriser à nouveau les notifications',
    mend: [
      'Ouvrez les réglages de ce site : le symbole à côté de l’adresse, ou un appui long sur l’icône de l’application.',
      'Réglez les notifications sur « Autoriser ».',
      'Revenez ici. L’application détecte le changement.',
    ],
  },
  rename: {
    title: 'Renommer cet appareil',
    save: 'Enregistrer le nom',
    working: 'Enregistrement…',
    failed:
      'Le nom n’a pas été modifié, car le service est injoignable. Réessayez lorsque vous serez en ligne.',
  },
  remove: {
    title: 'Supprimer ce compte ?',
    text: 'Cet appareil ne pourra plus confirmer pour ce compte. Pour l’utiliser à nouveau, il vous faudra un nouveau lien d’enregistrement.',
    last: 'Est-ce votre seul appareil pour ce compte ? Configurez d’abord le nouveau : après, l’assistance du site pourrait être nécessaire.',
    cancelled: 'Rien n’a été supprimé, car l’empreinte, le visage ou le code n’a pas été vérifié.',
    unverified:
      'Le site ne supprime cet appareil qu’après vérification de l’empreinte, du visage ou du code ici. Sinon, supprimez-le sur le site.',
    open: 'Une demande ouverte sur cet appareil sera annulée.',
    confirm: 'Supprimer le compte',
    working: 'Suppression…',
    failed:
      'Le service était injoignable : le compte n’y a pas été supprimé. Réessayez quand vous serez en ligne.',
    onlyHere: 'Effacer seulement sur cet appareil',
    onlyHereText: 'Le site affichera toujours cet appareil tant que vous ne l’y aurez pas supprimé.',
    unknown: 'Ce compte n’est plus sur cet appareil.',
  },
  enrol: {
    title: 'Configurer cet appareil',
    intro:
      'Ouvrez la page d’enregistrement de votre site. Elle affiche un code QR ou, sur cet appareil, un lien.',
    scan: 'Scanner le code QR',
    linkLabel: 'Lien d’enregistrement',
    linkHint: 'Il commence par https:// et contient un code qui ne sert qu’une fois.',
    useLink: 'Utiliser ce lien',
    scanTitle: 'Scannez le code QR',
    scanText: 'Dirigez l’appareil photo vers le code QR de l’autre écran.',
    scanStarting: 'Démarrage de l’appareil photo…',
    camera: 'Image de l’appareil photo',
    stopScan: 'Arrêter',
    installTitle: 'Ajoutez d’abord cette application à l’écran d’accueil',
    installText: 'Sur iPhone et iPad, seules les applications de l’écran d’accueil peuvent vous avertir.',
    installSteps: [
      'Touchez le symbole de partage dans la barre du navigateur.',
      'Choisissez « Sur l’écran d’accueil », puis « Ajouter ».',
      'Ouvrez l’application depuis l’écran d’accueil, et scannez ou collez-y votre lien d’enregistrement.',
    ],
    installCopy: 'Copier le lien d’enregistrement',
    installCopied: 'Lien copié. Il est valable environ 10 minutes.',
    installSkip: 'Continuer ici sans notifications',
    checking: 'Vérification du lien…',
    forWhom: 'Continuez seulement si vous connaissez ce compte.',
    nameTitle: 'Nommez cet appareil',
    nameText: 'Vous verrez ce nom dans la liste de vos appareils.',
    nameLabel: 'Nom de l’appareil',
    nameMissing: 'Saisissez un nom pour cet appareil.',
    pushTitle: 'Autoriser les notifications',
    pushText:
      'Une notification vous avertit aussitôt qu’un site a besoin de votre confirmation. Le navigateur va vous demander l’autorisation. L’application n’envoie rien d’autre.',
    pushAllow: 'Autoriser les notifications',
    pushAsking: 'En attente de votre choix…',
    pushSkip: 'Pas maintenant',
    pushDenied: 'Les notifications sont bloquées pour cette application',
    pushDeniedText:
      'Vous pouvez continuer. Vous ne verrez les demandes que lorsque l’application est ouverte, tant que vous n’aurez pas autorisé les notifications dans les réglages du navigateur pour ce site.',
    passkeyTitle: 'Utiliser l’empreinte, le visage ou le code',
    passkeyText:
      'Avec une clé d’accès, vous confirmez les demandes importantes comme vous déverrouillez cet appareil. Une autre personne qui l’a en main ne peut pas le faire.',
    passkeyRequired: 'Le site l’exige pour configurer l’appareil.',
    passkeyCreate: 'Créer une clé d’accès',
    passkeySkip: 'Continuer sans',
    passkeyProblems: {
      cancelled: 'La clé d’accès n’a pas été créée. Vous pouvez réessayer.',
      unavailable:
        'Cet appareil ne peut pas créer de clé d’accès pour le moment. Activez le verrouillage de l’écran, puis réessayez.',
    },
    working: 'Configuration de cet appareil…',
    doneTitle: 'Cet appareil est prêt',
    doneText: 'Vous pouvez maintenant confirmer des demandes pour ce compte :',
    doneNoPush: 'Gardez l’application ouverte, ou consultez-la quand un site attend votre confirmation.',
    problems: {
      'invalid-link':
        'Ce lien d’enregistrement n’est pas complet. Scannez à nouveau le code QR, ou copiez le lien en entier.',
      'unsupported-link':
        'Ce lien exige une version plus récente de l’application. Rechargez l’application, puis réessayez.',
      'foreign-link': 'Ce lien appartient à un autre service. Ouvrez-le avec l’application de ce service.',
      'service-unknown': 'Le service était injoignable. Vérifiez la connexion, puis réessayez.',
      'no-camera': 'Aucun appareil photo n’a été trouvé. Collez plutôt le lien.',
      denied:
        'L’application n’a pas accès à l’appareil photo. Collez le lien, ou autorisez l’appareil photo pour ce site.',
      busy: 'L’appareil photo est utilisé par une autre application. Fermez-la, ou collez le lien.',
    },
    failedTitle: 'Cet appareil n’a pas été configuré',
    failures: {
      'enrolment-not-found': 'Le code de ce lien est inconnu. Demandez-en un nouveau au site.',
      'enrolment-code-used':
        'Le code de ce lien a déjà servi. Chaque lien configure un seul appareil : demandez-en un nouveau au site.',
      'enrolment-code-expired': 'Le code de ce lien a expiré. Demandez-en un nouveau au site.',
      'too-many-devices':
        'Vous avez atteint le nombre d’appareils autorisés. Supprimez-en un sur le site, puis réessayez.',
      'confirmation-required':
        'Un appareil supplémentaire doit d’abord être confirmé sur l’un de vos appareils. Recommencez sur le site.',
      'recovery-required':
        'Vous n’avez plus d’appareil pour en confirmer un nouveau. L’assistance du site peut vous aider.',
      'user-verification-required':
        'Le site exige l’empreinte, le visage ou le code, et ce navigateur ne peut pas les vérifier. Utilisez un autre navigateur ou un autre appareil, ou activez le verrouillage de l’écran.',
      'user-verification-failed':
        'La clé d’accès n’a pas été acceptée. Demandez un nouveau lien au site, puis réessayez.',
      'clock-skew':
        'Le service n’accepte pas l’heure de cet appareil. Remettez l’horloge à l’heure, puis réessayez.',
      network: 'Le service était injoignable. Vérifiez la connexion, puis réessayez. Le lien reste valable.',
      other:
        'Un problème est survenu. Veuillez réessayer. S’il se reproduit, demandez un nouveau lien au site.',
    },
    newLink: 'Utiliser un autre lien',
  },
  unsupported: {
    title: 'L’application ne fonctionne pas dans ce navigateur',
    text: 'L’application a besoin d’un stockage de clés sûr que ce navigateur n’a pas. Ouvrez-la dans une version récente de Chrome, Edge, Firefox ou Safari, et pas dans une fenêtre privée.',
  },
};
