/** Hashes that a device computes, or that a website recomputes from the evidence. */
import { identity, plainChallenge, sha256 } from './story.ts';

const messages: Record<string, string> = {
  'plain text': plainChallenge.message,
  'one character': '?',
  'an emoji with modifiers': 'Pay 16.00 € to Café Zoë 👩🏽‍🍳?',
  'a letter with a combining mark': 'Cafe\u0301',
  'the same letter, precomposed': 'Caf\u00e9',
  'right-to-left text': 'לאשר תשלום של 120 ₪ לחנות הספרים?',
  'quotes, backslashes and markup': 'Rename "C:\\temp" to <b>\'new\' & old</b>/?',
  'blanks at both ends': ' Log in? ',
  'letters beyond the first plane': '𠮷野家 𝒳 🇺🇦',
};

export const messageHash = () => ({
  about:
    'messageHash is the base64url SHA-256 of the message in UTF-8: of the text itself, without quotes, never normalized or trimmed.',
  vectors: Object.entries(messages).map(([name, message]) => ({
    name,
    message,
    utf8: Buffer.from(message, 'utf8').toString('hex'),
    messageHash: sha256(message),
  })),
  challengeId: {
    about:
      'challengeId is the base64url SHA-256 of tenant id, line feed and nonce. Only the website and the service know the nonce.',
    tenantId: identity.tenantId,
    nonce: plainChallenge.asked.nonce,
    challengeId: plainChallenge.challengeId,
  },
});
