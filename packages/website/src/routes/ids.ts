import { newNonce } from '../nonce.ts';

/** What the page knows a confirmation or enrolment by: 128 random bits that say nothing about it. */
export const newId = newNonce;

export const isId = (text: string): boolean => /^[\w-]{22}$/.test(text);
