/** In place of the SDK's warning of a Node.js that it will not support for long: the bundle's runtime is named in the stack. */
export const state = { warningEmitted: false };

export const emitWarningIfUnsupportedVersion = (): void => undefined;
