/** The account and region of the local stack. The emulators use the same account number. */
export const ACCOUNT_ID = '000000000000';
export const REGION = 'eu-central-1';
