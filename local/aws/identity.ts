/** Where the local stack pretends to be: the account number is the one that every local emulator uses. */
export const ACCOUNT_ID = '000000000000';
export const REGION = 'eu-central-1';
