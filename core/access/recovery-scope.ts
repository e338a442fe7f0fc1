/**
 * Gives access to no route. A token that also has this scope may add and remove a user's devices without a confirmation. It
 * is for the help desk, when a user has lost every device.
 */
export const recoveryScope = 'credential:omi:recovery';
