import type { Texts } from './en.ts';

export const es: Texts = {
  appName: 'OMI',
  skipToContent: 'Ir al contenido',
  loading: 'Cargando…',
  back: 'Atrás',
  cancel: 'Cancelar',
  done: 'Listo',
  continue: 'Continuar',
  tryAgain: 'Volver a intentarlo',
  nav: { label: 'Menú principal', home: 'Solicitudes', history: 'Historial', settings: 'Ajustes' },
  banner: {
    offline: 'No tiene conexión. Puede consultarlo todo, pero para responder necesita conexión.',
    unreachable: 'El servicio no está disponible en este momento. La aplicación sigue intentándolo.',
    clock: (offset, isFast) =>
      `El reloj de este dispositivo va ${offset} ${isFast ? 'adelantado' : 'atrasado'}. La aplicación usa la hora del servicio, así que puede continuar. Ponga el reloj en hora cuando pueda.`,
    update: 'Hay una nueva versión de la aplicación.',
    updateNow: 'Actualizar ahora',
    lost: (name) => `Se ha perdido la clave de «${name}»`,
    lostText:
      'El navegador ha borrado los datos de esta aplicación, por lo que este dispositivo ya no puede responder por esa cuenta. Abra un nuevo enlace de registro del sitio web para configurarlo otra vez.',
    enrolAgain: 'Configurar otra vez',
    understood: 'Entendido',
    removed: (name) => `«${name}» se ha eliminado`,
    removedText:
      'El servicio ya no conoce este dispositivo, por lo que aquí no llegan solicitudes. Abra un nuevo enlace de registro del sitio web para configurarlo otra vez.',
    removeHere: 'Borrar de este dispositivo',
    pushOff: 'Las notificaciones están desactivadas',
    pushOffText: 'Solo verá las solicitudes mientras esta aplicación esté abierta.',
    pushRevoked: 'Se han desactivado las notificaciones',
    pushRevokedText:
      'El navegador ya no permite que la aplicación le avise. Solo verá las solicitudes mientras esté abierta.',
    pushUnreachable: 'Las notificaciones no llegan en este momento',
    pushUnreachableText:
      'La aplicación las vuelve a configurar por sí sola. Hasta entonces solo ve las solicitudes mientras esta aplicación está abierta.',
    pushSettings: 'Ver cómo solucionarlo',
  },
  units: {
    seconds: (count) => (count === 1 ? '1 segundo' : `${count} segundos`),
    minutes: (count) => (count === 1 ? '1 minuto' : `${count} minutos`),
    hours: (count) => (count === 1 ? '1 hora' : `${count} horas`),
    days: (count) => (count === 1 ? '1 día' : `${count} días`),
  },
  home: {
    title: 'Solicitudes',
    emptyTitle: 'Nada que confirmar',
    emptyText: 'Cuando un sitio web necesite su confirmación, la solicitud aparecerá aquí.',
    offlineTitle: 'No tiene conexión',
    offlineText: 'Las solicitudes pendientes aparecen en cuanto haya conexión.',
    unaskedTitle: 'No se han podido cargar las solicitudes',
    unaskedText: 'Puede haber una solicitud pendiente. Aparece en cuanto el servicio esté disponible.',
    waiting: (count) =>
      count === 1 ? '1 solicitud espera su respuesta' : `${count} solicitudes esperan su respuesta`,
    review: 'Revisar',
    left: (time) => `tiempo restante: ${time}`,
    welcomeTitle: 'Confirmar con este dispositivo',
    welcomeText:
      'Configure este dispositivo una vez. Después confirmará aquí pagos y otras operaciones importantes, y nadie podrá hacerlo sin él.',
    welcomeStart: 'Configurar este dispositivo',
    welcomeHow: 'Necesita un enlace de registro: un código QR o un enlace que muestra su sitio web.',
    checked: 'Esperando solicitudes',
  },
  challenge: {
    title: '¿Confirmar esta solicitud?',
    from: 'De',
    requestedFrom: 'Origen',
    unusual: 'Todavía no ha confirmado nada desde aquí.',
    usually: 'La última vez fue:',
    group: 'Decisión',
    groupText: (required, of) =>
      required === of
        ? `Deben confirmar las ${of} personas consultadas`
        : `Deben confirmar ${required} de ${of} personas`,
    votes: (count, of) =>
      count === 0
        ? 'Nadie ha confirmado todavía'
        : count === 1
          ? `1 de ${of} ha confirmado`
          : `${count} de ${of} han confirmado`,
    account: 'Su cuenta',
    unknownRequester: 'Un sitio web que usa este servicio',
    via: (client) => `a través de ${client}`,
    purposes: {
      'add-device': 'Esto permite añadir un dispositivo nuevo a su cuenta.',
      'remove-device': 'Esto permite quitar un dispositivo de su cuenta.',
    },
    thisDevice: 'este dispositivo',
    otherPurpose: 'Finalidad',
    message: 'Solicitud',
    details: 'Detalles',
    rawDetails: 'Estos detalles no se pueden presentar con formato. Este es su texto completo:',
    emptyList: 'vacío',
    yes: 'sí',
    no: 'no',
    none: 'ninguno',
    timeLeft: 'Tiempo restante',
    announce: (time) => `Tiempo para responder: ${time}.`,
    pickTitle: '¿Qué número muestra el sitio web?',
    pickHint: 'Elíjalo antes de confirmar.',
    typeTitle: 'Escriba el número que muestra el sitio web',
    confirm: 'Confirmar',
    confirmUnverified: 'Confirmar sin esta comprobación',
    deny: 'Rechazar',
    notMe: 'No he sido yo',
    hint: 'Confirme solo lo que haya iniciado usted. Si no lo ha iniciado, elija «No he sido yo».',
    needsPasskey: 'Confirma con su huella, su cara o su PIN.',
    sending: 'Enviando su respuesta…',
    verifying: 'Esperando la huella, la cara o el PIN…',
    goneTitle: 'Esta solicitud no está abierta',
    goneText: 'Ya se respondió, se retiró o se agotó su tiempo.',
    unknownTitle: 'La solicitud no se puede cargar ahora',
    unknownText: 'No hay conexión con el servicio. La aplicación sigue intentándolo.',
    searching: 'Buscando la solicitud…',
    problems: {
      'number-missing': 'Elija el número que muestra el sitio web.',
      'number-format': 'El número tiene 6 cifras. Escríbalo como lo muestra el sitio web.',
      'verification-cancelled':
        'No se ha comprobado su huella, su cara ni su PIN. Todavía no se ha confirmado nada.',
      'verification-needed':
        'Esta solicitud requiere su huella, su cara o su PIN. Pulse «Confirmar» una vez más.',
      'verification-failed':
        'No se ha aceptado la comprobación de la huella, la cara o el PIN. Inténtelo de nuevo.',
      'passkey-counter':
        'La llave de acceso de este dispositivo se ha copiado o restaurado, por lo que ya no se acepta. Configúrelo otra vez con un nuevo enlace de registro. Aún puede rechazarla.',
      'passkey-missing':
        'Esta solicitud requiere su huella, su cara o su PIN, y este dispositivo no tiene una llave de acceso para la cuenta. Configúrelo otra vez con un nuevo enlace de registro. Aún puede rechazarla.',
      'not-sent':
        'Puede que su respuesta no haya llegado. Compruebe la conexión y pulse otra vez el mismo botón.',
      clock:
        'El servicio no acepta la hora de este dispositivo. Ponga el reloj en hora e inténtelo de nuevo.',
      unexpected: 'Algo ha fallado y no se ha confirmado nada. Inténtelo de nuevo.',
    },
  },
  result: {
    confirmed: { title: 'Confirmado', text: 'Su respuesta ha llegado. Puede volver al sitio web.' },
    denied: { title: 'Rechazado', text: 'No se ha ejecutado nada. El sitio web sabe que lo ha rechazado.' },
    not_me: {
      title: 'Notificado: no ha sido usted',
      text: 'La solicitud se ha detenido. Puede que alguien conozca su contraseña: cámbiela y avise al servicio de ayuda del sitio web.',
    },
    expired: {
      title: 'Se ha agotado el tiempo',
      text: 'La solicitud terminó sin respuesta. Si era suya, empiece de nuevo en el sitio web.',
    },
    failed: {
      title: 'Número incorrecto',
      text: 'La solicitud se ha detenido por su seguridad. Si era suya, empiece de nuevo en el sitio web.',
    },
    cancelled: {
      title: 'Ya no está abierta',
      text: 'El sitio web retiró la solicitud, o ya se había respondido.',
    },
    mismatch: {
      title: 'No es seguro confirmar',
      text: 'Lo recibido no coincide con su firma, por lo que la aplicación no ha respondido. Avise al servicio de ayuda del sitio web.',
    },
    elsewhere: 'Se respondió en otra ventana de esta aplicación.',
    next: 'Solicitud siguiente',
    back: (website: string) => `Volver a ${website}`,
    home: 'Volver a las solicitudes',
  },
  history: {
    title: 'Historial',
    text: 'Lo que ha respondido en este dispositivo. Solo se guarda aquí.',
    emptyTitle: 'Aún no hay respuestas',
    emptyText: 'Aquí aparecen las solicitudes que responda en este dispositivo.',
    verified: 'con huella, cara o PIN',
    outcomes: {
      confirmed: 'Confirmada',
      denied: 'Rechazada',
      not_me: 'No he sido yo',
      expired: 'Caducada',
      failed: 'Número incorrecto',
      cancelled: 'Retirada',
    },
  },
  settings: {
    title: 'Ajustes',
    accounts: 'Cuentas en este dispositivo',
    noAccounts: 'Este dispositivo no está configurado para ninguna cuenta.',
    add: 'Añadir una cuenta',
    device: 'Nombre del dispositivo',
    since: 'Configurado el',
    lastUsed: 'Último uso el',
    passkey: 'Huella, cara o PIN',
    passkeyOn: 'configurado',
    passkeyOff: 'sin configurar',
    support: 'Ayuda',
    rename: 'Cambiar nombre',
    renameLabel: (name) => `Cambiar el nombre del dispositivo de ${name}`,
    remove: 'Eliminar',
    removeLabel: (name) => `Eliminar ${name}`,
    notifications: 'Notificaciones',
    enable: 'Activar las notificaciones',
    language: 'Idioma',
    installTitle: 'Instalar la aplicación',
    installText: 'Desde la pantalla de inicio o el escritorio se abre más rápido y en su propia ventana.',
    install: 'Instalar',
    languageAuto: 'Como en el navegador',
    imprint: 'Aviso legal',
    privacy: 'Privacidad',
    push: {
      active: 'Activadas. Recibirá un aviso de cada solicitud.',
      prompt: 'Desactivadas. Solo verá las solicitudes mientras esta aplicación esté abierta.',
      denied:
        'Bloqueadas en este navegador. Solo verá las solicitudes mientras esta aplicación esté abierta.',
      unsupported:
        'Este navegador no puede avisarle. Solo verá las solicitudes mientras esta aplicación esté abierta.',
      'needs-install':
        'En este dispositivo, las notificaciones solo funcionan con aplicaciones de la pantalla de inicio. Añada allí la aplicación y configúrela otra vez desde allí.',
      revoked:
        'Desactivadas en el navegador. Solo verá las solicitudes mientras esta aplicación esté abierta.',
      unreachable:
        'Permitidas, pero no llegan en este momento. La aplicación las vuelve a configurar por sí sola.',
    },
    mendTitle: 'Cómo volver a permitir las notificaciones',
    mend: [
      'Abra los ajustes de este sitio: el símbolo junto a la dirección, o una pulsación larga sobre el icono de la aplicación.',
      'Ponga las notificaciones en «Permitir».',
      'Vuelva aquí. La aplicación detecta el cambio.',
    ],
  },
  rename: {
    title: 'Cambiar el nombre de este dispositivo',
    save: 'Guardar nombre',
    working: 'Guardando…',
    failed:
      'El nombre no se ha cambiado porque no se ha podido contactar con el servicio. Inténtelo de nuevo cuando tenga conexión.',
  },
  remove: {
    title: '¿Eliminar esta cuenta?',
    text: 'Este dispositivo ya no podrá confirmar por la cuenta. Para volver a usarlo necesitará un nuevo enlace de registro.',
    last: '¿Es su único dispositivo para la cuenta? Configure antes el nuevo: después quizá necesite el servicio de atención del sitio web.',
    cancelled: 'No se eliminó nada, porque no se comprobó la huella, la cara o el PIN.',
    unverified:
      'El sitio web solo elimina este dispositivo si aquí se comprueba la huella, la cara o el PIN. Si no, elimínelo en el sitio web.',
    open: 'Si hay una solicitud abierta en este dispositivo, se cancelará.',
    confirm: 'Eliminar cuenta',
    working: 'Eliminando…',
    failed:
      'El servicio no estaba disponible, por lo que allí no se ha eliminado la cuenta. Inténtelo de nuevo cuando tenga conexión.',
    onlyHere: 'Borrar solo en este dispositivo',
    onlyHereText: 'El sitio web seguirá mostrando este dispositivo hasta que lo elimine allí.',
    unknown: 'Esta cuenta ya no está en este dispositivo.',
  },
  enrol: {
    title: 'Configurar este dispositivo',
    intro:
      'Abra la página de registro de su sitio web. Muestra un código QR o, en este dispositivo, un enlace.',
    scan: 'Escanear código QR',
    linkLabel: 'Enlace de registro',
    linkHint: 'Empieza por https:// y contiene un código que sirve una sola vez.',
    useLink: 'Usar este enlace',
    scanTitle: 'Escanee el código QR',
    scanText: 'Apunte la cámara al código QR de la otra pantalla.',
    scanStarting: 'Iniciando la cámara…',
    camera: 'Imagen de la cámara',
    stopScan: 'Dejar de escanear',
    installTitle: 'Añada primero esta aplicación a la pantalla de inicio',
    installText: 'En iPhone y iPad, solo las aplicaciones de la pantalla de inicio pueden avisarle.',
    installSteps: [
      'Toque el símbolo de compartir en la barra del navegador.',
      'Elija «Añadir a pantalla de inicio» y después «Añadir».',
      'Abra la aplicación desde la pantalla de inicio y escanee o pegue allí su enlace de registro.',
    ],
    installCopy: 'Copiar enlace de registro',
    installCopied: 'Enlace copiado. Sirve durante unos 10 minutos.',
    installSkip: 'Continuar aquí sin notificaciones',
    checking: 'Comprobando el enlace…',
    forWhom: 'Continúe solo si conoce esta cuenta.',
    nameTitle: 'Ponga nombre a este dispositivo',
    nameText: 'Verá este nombre en la lista de sus dispositivos.',
    nameLabel: 'Nombre del dispositivo',
    nameMissing: 'Escriba un nombre para este dispositivo.',
    pushTitle: 'Permitir notificaciones',
    pushText:
      'Una notificación le avisa al momento cuando un sitio web necesita su confirmación. A continuación, el navegador le pedirá permiso. La aplicación no envía nada más.',
    pushAllow: 'Permitir notificaciones',
    pushAsking: 'Esperando su elección…',
    pushSkip: 'Ahora no',
    pushDenied: 'Las notificaciones están bloqueadas para esta aplicación',
    pushDeniedText:
      'Puede continuar. Solo verá las solicitudes mientras la aplicación esté abierta, hasta que permita las notificaciones en los ajustes del navegador para este sitio.',
    passkeyTitle: 'Usar huella, cara o PIN',
    passkeyText:
      'Con una llave de acceso confirma las solicitudes importantes igual que desbloquea este dispositivo. Otra persona que lo tenga en la mano no puede hacerlo.',
    passkeyRequired: 'El sitio web lo exige para configurar el dispositivo.',
    passkeyCreate: 'Crear llave de acceso',
    passkeySkip: 'Continuar sin ella',
    passkeyProblems: {
      cancelled: 'No se ha creado la llave de acceso. Puede intentarlo de nuevo.',
      unavailable:
        'Este dispositivo no puede crear ahora una llave de acceso. Active el bloqueo de pantalla e inténtelo de nuevo.',
    },
    working: 'Configurando este dispositivo…',
    doneTitle: 'Este dispositivo está listo',
    doneText: 'Ya puede confirmar solicitudes de esta cuenta:',
    doneNoPush: 'Deje la aplicación abierta, o consúltela cuando un sitio web espere su confirmación.',
    problems: {
      'invalid-link':
        'Este enlace de registro no está completo. Escanee otra vez el código QR o copie el enlace entero.',
      'unsupported-link':
        'Este enlace necesita una versión más reciente de la aplicación. Vuelva a cargarla e inténtelo de nuevo.',
      'foreign-link': 'Este enlace es de otro servicio. Ábralo con la aplicación de ese servicio.',
      'service-unknown': 'El servicio no estaba disponible. Compruebe la conexión e inténtelo de nuevo.',
      'no-camera': 'No se ha encontrado ninguna cámara. Pegue el enlace.',
      denied: 'La aplicación no puede usar la cámara. Pegue el enlace o permita la cámara para este sitio.',
      busy: 'Otra aplicación está usando la cámara. Ciérrela o pegue el enlace.',
    },
    failedTitle: 'No se ha configurado este dispositivo',
    failures: {
      'enrolment-not-found': 'El código de este enlace no se conoce. Pida uno nuevo al sitio web.',
      'enrolment-code-used':
        'El código de este enlace ya se ha usado. Cada enlace configura un solo dispositivo: pida uno nuevo al sitio web.',
      'enrolment-code-expired': 'El código de este enlace ha caducado. Pida uno nuevo al sitio web.',
      'too-many-devices':
        'Ha alcanzado el número de dispositivos permitido. Elimine uno en el sitio web e inténtelo de nuevo.',
      'confirmation-required':
        'Un dispositivo adicional debe confirmarse antes en uno de sus dispositivos. Empiece de nuevo en el sitio web.',
      'recovery-required':
        'Ya no tiene ningún dispositivo con el que confirmar uno nuevo. El servicio de atención del sitio web puede ayudarle.',
      'user-verification-required':
        'El sitio web exige huella, cara o PIN, y este navegador no puede comprobarlos. Use otro navegador u otro dispositivo, o active el bloqueo de pantalla.',
      'user-verification-failed':
        'No se ha aceptado la llave de acceso. Pida un nuevo enlace al sitio web e inténtelo de nuevo.',
      'clock-skew':
        'El servicio no acepta la hora de este dispositivo. Ponga el reloj en hora e inténtelo de nuevo.',
      network:
        'El servicio no estaba disponible. Compruebe la conexión e inténtelo de nuevo. El enlace sigue siendo válido.',
      other: 'Algo ha fallado. Inténtelo de nuevo. Si vuelve a ocurrir, pida un nuevo enlace al sitio web.',
    },
    newLink: 'Usar otro enlace',
  },
  unsupported: {
    title: 'La aplicación no funciona en este navegador',
    text: 'La aplicación necesita un almacén de claves seguro que este navegador no tiene. Ábrala en una versión actual de Chrome, Edge, Firefox o Safari, y no en una ventana privada.',
  },
};
