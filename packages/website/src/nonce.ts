import { base64url } from '../../evidence/src/bytes.ts';

/** 128 random bits. Use a new nonce for each question, and keep it on the server. */
export const newNonce = (): string => base64url(crypto.getRandomValues(new Uint8Array(16)));
