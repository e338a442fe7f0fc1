/** The account and region of the local stack. The emulators use the same account number. */
export const accountId = '000000000000';
export const region = 'eu-central-1';
