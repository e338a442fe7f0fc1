/** The texts of the app. Other languages have the same members, or they do not compile. */
export const en = {
  appName: 'OMI',
  skipToContent: 'Skip to content',
  loading: 'Loading…',
  back: 'Back',
  cancel: 'Cancel',
  done: 'Done',
  continue: 'Continue',
  tryAgain: 'Try again',
  nav: { label: 'Main', home: 'Requests', history: 'History', settings: 'Settings' },
  banner: {
    offline: 'You are offline. You can look at everything, but answers need a connection.',
    unreachable: 'The service cannot be reached at the moment. The app keeps trying.',
    clock: (offset: string, isFast: boolean) =>
      `This device’s clock is ${offset} ${isFast ? 'fast' : 'slow'}. The app uses the service’s time, so you can go on. Set the clock when you can.`,
    update: 'A new version of the app is ready.',
    updateNow: 'Update now',
    lost: (name: string) => `The key of “${name}” is gone`,
    lostText:
      'The browser has deleted this app’s data, so this device can no longer answer for that account. Open a new enrolment link from the website to set it up again.',
    enrolAgain: 'Set up again',
    understood: 'Understood',
    removed: (name: string) => `“${name}” was removed`,
    removedText:
      'The service no longer knows this device, so it receives no requests. Open a new enrolment link from the website to set it up again.',
    removeHere: 'Delete from this device',
    pushOff: 'Notifications are off',
    pushOffText: 'You only see requests while this app is open.',
    pushRevoked: 'Notifications were switched off',
    pushRevokedText:
      'This browser no longer lets the app notify you. You only see requests while it is open.',
    pushUnreachable: 'Notifications do not arrive at the moment',
    pushUnreachableText:
      'The app sets them up again by itself. Until then you only see requests while this app is open.',
    pushSettings: 'See how to fix it',
  },
  units: {
    seconds: (count: number) => (count === 1 ? '1 second' : `${count} seconds`),
    minutes: (count: number) => (count === 1 ? '1 minute' : `${count} minutes`),
    hours: (count: number) => (count === 1 ? '1 hour' : `${count} hours`),
    days: (count: number) => (count === 1 ? '1 day' : `${count} days`),
  },
  home: {
    title: 'Requests',
    emptyTitle: 'Nothing to confirm',
    emptyText: 'When a website needs your confirmation, the request appears here.',
    offlineTitle: 'You are offline',
    offlineText: 'Requests that wait for you appear as soon as there is a connection.',
    unaskedTitle: 'The requests could not be loaded',
    unaskedText: 'A request may be waiting. It appears as soon as the service can be reached.',
    waiting: (count: number) =>
      count === 1 ? '1 request is waiting for your answer' : `${count} requests are waiting for your answer`,
    review: 'Review',
    left: (time: string) => `${time} left`,
    welcomeTitle: 'Confirm with this device',
    welcomeText:
      'Set up this device once. After that you confirm payments and other sensitive actions here, and nobody can do it without it.',
    welcomeStart: 'Set up this device',
    welcomeHow: 'You need an enrolment link: a QR code or a link that your website shows you.',
    checked: 'Waiting for requests',
  },
  challenge: {
    title: 'Confirm this request?',
    from: 'From',
    requestedFrom: 'Started from',
    unusual: 'You have not confirmed anything from here before.',
    usually: 'Last time it was:',
    group: 'Decision',
    groupText: (required: number, of: number) =>
      required === of
        ? `All ${of} people who are asked must confirm`
        : `${required} of ${of} people must confirm`,
    votes: (count: number, of: number) =>
      count === 0
        ? 'Nobody has confirmed yet'
        : count === 1
          ? `1 of ${of} has confirmed`
          : `${count} of ${of} have confirmed`,
    account: 'Your account',
    unknownRequester: 'A website that uses this service',
    via: (client: string) => `through ${client}`,
    purposes: {
      'add-device': 'This allows a new device to be added to your account.',
      'remove-device': 'This allows a device to be removed from your account.',
    },
    thisDevice: 'this device',
    otherPurpose: 'Purpose',
    message: 'Request',
    details: 'Details',
    rawDetails: 'These details cannot be laid out. This is their full text:',
    emptyList: 'empty',
    yes: 'yes',
    no: 'no',
    none: 'none',
    timeLeft: 'Time left',
    announce: (time: string) => `${time} left to answer.`,
    pickTitle: 'Which number does the website show?',
    pickHint: 'Choose it before you confirm.',
    typeTitle: 'Type the number that the website shows',
    confirm: 'Confirm',
    confirmUnverified: 'Confirm without it',
    deny: 'Deny',
    notMe: 'This was not me',
    hint: 'Confirm only what you started yourself. If you did not, choose “This was not me”.',
    needsPasskey: 'You confirm with your fingerprint, face or PIN.',
    sending: 'Sending your answer…',
    verifying: 'Waiting for fingerprint, face or PIN…',
    goneTitle: 'This request is not open',
    goneText: 'It was answered, withdrawn, or its time is over.',
    unknownTitle: 'The request cannot be loaded now',
    unknownText: 'There is no connection to the service. The app keeps trying.',
    searching: 'Looking for the request…',
    problems: {
      'number-missing': 'Choose the number that the website shows.',
      'number-format': 'The number has 6 digits. Type it as the website shows it.',
      'verification-cancelled':
        'Your fingerprint, face or PIN was not checked, so nothing was confirmed yet.',
      'verification-needed': 'This request needs your fingerprint, face or PIN. Press “Confirm” once more.',
      'verification-failed': 'The check of your fingerprint, face or PIN was not accepted. Please try again.',
      'passkey-counter':
        'The passkey of this device was copied or restored, so it is not accepted any more. Set up the device again with a new enrolment link. You can still deny.',
      'passkey-missing':
        'This request needs your fingerprint, face or PIN, and this device has no passkey for the account. Set up the device again with a new enrolment link. You can still deny.',
      'not-sent':
        'Your answer may not have arrived. Check your connection, then press the same button again.',
      clock: 'The service does not accept this device’s clock. Set the correct time, then try again.',
      unexpected: 'Something went wrong and nothing was confirmed. Please try again.',
    },
  },
  result: {
    confirmed: { title: 'Confirmed', text: 'Your answer has arrived. You can go back to the website.' },
    denied: { title: 'Denied', text: 'Nothing happens. The website knows that you said no.' },
    not_me: {
      title: 'Reported: this was not you',
      text: 'The request was stopped. Somebody may know your password: change it, and tell the website’s support.',
    },
    expired: {
      title: 'Time is over',
      text: 'The request ended without an answer. If it was yours, start again on the website.',
    },
    failed: {
      title: 'Wrong number',
      text: 'The request was stopped for your safety. If it was yours, start again on the website.',
    },
    cancelled: {
      title: 'No longer open',
      text: 'The website withdrew the request, or it was already answered.',
    },
    mismatch: {
      title: 'Not safe to confirm',
      text: 'What was received does not match its signature, so the app did not answer. Tell the website’s support.',
    },
    elsewhere: 'It was answered in another window of this app.',
    next: 'Next request',
    back: (website: string) => `Back to ${website}`,
    home: 'Back to requests',
  },
  history: {
    title: 'History',
    text: 'What you answered on this device. It is stored only here.',
    emptyTitle: 'No answers yet',
    emptyText: 'Requests that you answer on this device are listed here.',
    verified: 'with fingerprint, face or PIN',
    outcomes: {
      confirmed: 'Confirmed',
      denied: 'Denied',
      not_me: 'Not me',
      expired: 'Expired',
      failed: 'Wrong number',
      cancelled: 'Withdrawn',
    },
  },
  settings: {
    title: 'Settings',
    accounts: 'Accounts on this device',
    noAccounts: 'This device is not set up for any account.',
    add: 'Add an account',
    device: 'Device name',
    since: 'Set up on',
    lastUsed: 'Last used on',
    passkey: 'Fingerprint, face or PIN',
    passkeyOn: 'set up',
    passkeyOff: 'not set up',
    support: 'Help',
    rename: 'Rename',
    renameLabel: (name: string) => `Rename the device for ${name}`,
    remove: 'Remove',
    removeLabel: (name: string) => `Remove ${name}`,
    notifications: 'Notifications',
    enable: 'Switch on notifications',
    language: 'Language',
    installTitle: 'Install the app',
    installText: 'On the Home Screen or the desktop it opens faster, and in a window of its own.',
    install: 'Install',
    languageAuto: 'As in the browser',
    imprint: 'Imprint',
    privacy: 'Privacy',
    push: {
      active: 'On. You are notified of each request.',
      prompt: 'Off. You only see requests while this app is open.',
      denied: 'Blocked in this browser. You only see requests while this app is open.',
      unsupported: 'This browser cannot notify you. You only see requests while this app is open.',
      'needs-install':
        'On this device, notifications work only for apps on the Home Screen. Add this app there and set it up again from there.',
      revoked: 'Switched off in the browser. You only see requests while this app is open.',
      unreachable:
        'Permitted, but notifications do not arrive at the moment. The app sets them up again by itself.',
    },
    mendTitle: 'How to allow notifications again',
    mend: [
      'Open the settings of this site: the symbol beside the address, or a long press on the app’s icon.',
      'Set notifications to “Allow”.',
      'Come back here. The app notices the change.',
    ],
  },
  rename: {
    title: 'Rename this device',
    save: 'Save name',
    working: 'Saving…',
    failed:
      'The name was not changed, because the service could not be reached. Try again when you are online.',
  },
  remove: {
    title: 'Remove this account?',
    text: 'This device can then no longer confirm for the account. To use it again you need a new enrolment link.',
    last: 'Is this your only device for the account? Then set up the new one first: afterwards you may need the website’s help desk.',
    cancelled: 'Nothing was removed, because fingerprint, face or PIN was not checked.',
    unverified:
      'The website removes this device only after fingerprint, face or PIN was checked here. Otherwise remove it on the website.',
    open: 'A request that is open on this device is cancelled.',
    confirm: 'Remove account',
    working: 'Removing…',
    failed:
      'The service could not be reached, so the account was not removed there. Try again when you are online.',
    onlyHere: 'Delete only on this device',
    onlyHereText: 'The website will still list this device until you remove it there.',
    unknown: 'This account is no longer on this device.',
  },
  enrol: {
    title: 'Set up this device',
    intro:
      'Open the enrolment page of your website. It shows a QR code, or a link if you are on this device.',
    scan: 'Scan QR code',
    linkLabel: 'Enrolment link',
    linkHint: 'It begins with https:// and contains a code that works once.',
    useLink: 'Use this link',
    scanTitle: 'Scan the QR code',
    scanText: 'Point the camera at the QR code on the other screen.',
    scanStarting: 'Starting the camera…',
    camera: 'Camera picture',
    stopScan: 'Stop scanning',
    installTitle: 'First add this app to the Home Screen',
    installText: 'On iPhone and iPad, apps can notify you only from the Home Screen.',
    installSteps: [
      'Tap the Share symbol in the browser’s bar.',
      'Choose “Add to Home Screen”, then “Add”.',
      'Open the app from the Home Screen, and scan or paste your enrolment link there.',
    ],
    installCopy: 'Copy enrolment link',
    installCopied: 'Link copied. It works for about 10 minutes.',
    installSkip: 'Continue here without notifications',
    checking: 'Checking the link…',
    forWhom: 'Continue only if you know this account.',
    nameTitle: 'Name this device',
    nameText: 'You see this name in the list of your devices.',
    nameLabel: 'Device name',
    nameMissing: 'Type a name for this device.',
    pushTitle: 'Allow notifications',
    pushText:
      'A notification tells you at once when a website needs your confirmation. The browser asks you next. The app sends nothing else.',
    pushAllow: 'Allow notifications',
    pushAsking: 'Waiting for your choice…',
    pushSkip: 'Not now',
    pushDenied: 'Notifications are blocked for this app',
    pushDeniedText:
      'You can continue. You will see requests only while the app is open, until you allow notifications in the browser’s settings of this site.',
    passkeyTitle: 'Use fingerprint, face or PIN',
    passkeyText:
      'With a passkey you confirm important requests the way you unlock this device. Nobody else who holds it can do that.',
    passkeyRequired: 'The website requires this to set up the device.',
    passkeyCreate: 'Set up passkey',
    passkeySkip: 'Continue without it',
    passkeyProblems: {
      cancelled: 'The passkey was not created. You can try again.',
      unavailable: 'This device cannot create a passkey now. Switch on its screen lock, then try again.',
    },
    working: 'Setting up this device…',
    doneTitle: 'This device is ready',
    doneText: 'You can now confirm requests for this account:',
    doneNoPush: 'Keep this app open, or look into it, when a website waits for your confirmation.',
    problems: {
      'invalid-link':
        'This is not a complete enrolment link. Scan the QR code again, or copy the whole link.',
      'unsupported-link': 'This link needs a newer version of the app. Reload the app, then try again.',
      'foreign-link': 'This link belongs to another service. Open it with the app of that service.',
      'service-unknown': 'The service could not be reached. Check your connection, then try again.',
      'no-camera': 'No camera was found. Paste the link instead.',
      denied: 'The app may not use the camera. Paste the link instead, or allow the camera for this site.',
      busy: 'The camera is in use by another app. Close that app, or paste the link instead.',
    },
    failedTitle: 'This device was not set up',
    failures: {
      'enrolment-not-found': 'The code in this link is not known. Ask the website for a new one.',
      'enrolment-code-used':
        'The code in this link was already used. Each link sets up one device: ask the website for a new one.',
      'enrolment-code-expired': 'The code in this link has expired. Ask the website for a new one.',
      'too-many-devices':
        'You have reached the number of devices that are allowed. Remove one on the website, then try again.',
      'confirmation-required':
        'A further device must first be confirmed on one of your devices. Start again on the website.',
      'recovery-required':
        'You have no device left to confirm a new one with. The website’s help desk can help you.',
      'user-verification-required':
        'The website requires fingerprint, face or PIN, and this browser cannot check them. Use another browser or device, or switch on the screen lock.',
      'user-verification-failed':
        'The passkey was not accepted. Ask the website for a new link, then try again.',
      'clock-skew': 'The service does not accept this device’s clock. Set the correct time, then try again.',
      network:
        'The service could not be reached. Check your connection, then try again. The link still works.',
      other: 'Something went wrong. Please try again. If it happens again, ask the website for a new link.',
    },
    newLink: 'Use another link',
  },
  unsupported: {
    title: 'This browser cannot run the app',
    text: 'The app needs a secure key store that this browser does not have. Open it in a current version of Chrome, Edge, Firefox or Safari, and not in a private window.',
  },
};

export type Texts = typeof en;
