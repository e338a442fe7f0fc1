import type { EnrolmentTexts } from './texts.ts';

export const es: EnrolmentTexts = {
  label: 'Configurar un dispositivo',
  code: 'Código QR que configura un dispositivo',
  account: 'Cuenta: {account}',
  open: 'Configurar este dispositivo',
  again: 'Intentar de nuevo',
  newCode: 'Mostrar un código nuevo',
  againIn: 'Podrá intentarlo de nuevo en {time}.',
  left: 'Válido durante {time}',
  late: 'Ya no es válido.',
  device: 'El dispositivo',
  starting: ['Configurar un dispositivo', 'Creando el código…'],
  waiting: [
    'Configurar un dispositivo',
    'Escanee el código con la cámara de su teléfono. O configure el dispositivo que está usando ahora.',
  ],
  local: [
    'Configurar un dispositivo',
    'Solo este equipo puede abrir el código, porque lleva a localhost. Configure el dispositivo que está usando ahora.',
  ],
  lost: [
    'Conexión perdida',
    'Todavía puede escanear el código. El resultado aparecerá aquí cuando vuelva la conexión.',
  ],
  completed: ['Su dispositivo está listo', 'Ya puede confirmar con él: {device}'],
  expired: ['El código ha caducado', 'No se configuró ningún dispositivo con él.'],
  offline: ['Sin conexión', 'Compruebe su conexión e inténtelo de nuevo.'],
  signedOut: ['Ha cerrado la sesión', 'Inicie sesión de nuevo y configure su dispositivo.'],
  confirmFirst: ['Confirme primero', 'Un dispositivo más debe confirmarse en un dispositivo que ya tenga.'],
  recoverFirst: [
    'Pida ayuda',
    'Ya no tiene ningún dispositivo con el que confirmar. Solo el servicio de atención puede ahora permitir otro.',
  ],
  refused: ['No es posible', 'Ahora no puede configurar un dispositivo. {detail}'],
  tooMany: ['Demasiados intentos', 'Espere un momento antes de intentarlo de nuevo.'],
  fault: ['Algo ha fallado', 'No se configuró ningún dispositivo. Inténtelo de nuevo en un momento.'],
};
