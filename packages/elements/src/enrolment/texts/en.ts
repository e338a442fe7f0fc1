/** `{device}`, `{time}` and `{detail}` are filled in. A pair is a title and what it means. */
export const en = {
  label: 'Set up a device',
  code: 'QR code that sets up a device',
  account: 'Account: {account}',
  open: 'Set up this device',
  again: 'Try again',
  newCode: 'Show a new code',
  againIn: 'You can try again in {time}.',
  left: 'Valid for {time}',
  late: 'No longer valid.',
  device: 'The device',
  starting: ['Set up a device', 'Making a code…'],
  waiting: [
    'Set up a device',
    'Scan the code with the camera of your phone. Or set up the device that you are using now.',
  ],
  local: [
    'Set up a device',
    'Only this machine can open the code, as it leads to localhost. Set up the device that you are using now.',
  ],
  lost: [
    'Connection lost',
    'You can still scan the code. The result appears here when the connection is back.',
  ],
  completed: ['Your device is ready', 'You can now confirm with it: {device}'],
  expired: ['The code has expired', 'No device was set up with it.'],
  offline: ['No connection', 'Check your connection, then try again.'],
  signedOut: ['You are signed out', 'Sign in again, then set up your device.'],
  confirmFirst: ['Confirm first', 'A further device must be confirmed on a device that you have already.'],
  recoverFirst: [
    'Ask for help',
    'You have no device left to confirm with. Only the help desk can now let you set up another one.',
  ],
  refused: ['Not possible', 'You cannot set up a device now. {detail}'],
  tooMany: ['Too many attempts', 'Wait a moment before you try again.'],
  fault: ['Something went wrong', 'No device was set up. Please try again in a moment.'],
} as const;
