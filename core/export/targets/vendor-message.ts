/** The message of AWS about a fault, for the end of its reason. */

const longest = 500;

const aws = ' AWS says: ';
const network = ' The network says: ';

/** The SDK's own text if an answer has no body, for example to HEAD. */
const isNothing = (message: string): boolean => ['', 'UnknownError'].includes(message.trim());

/** The SDK's HTTP client names itself and its settings when no answer comes. */
const isSilence = (message: string): boolean => message.includes('@smithy/');

/** A message of Node.js about a connection that failed. AWS did not say it. */
const isOfTheNetwork = (message: string): boolean =>
  /\b(?:ECONN[A-Z]+|ENOTFOUND|EAI_AGAIN|EPIPE|ETIMEDOUT|EHOSTUNREACH)\b|^socket hang up/.test(message);

/** @param message of the error; a sentence to follow the reason, or nothing */
export function vendorMessage(message: string): string {
  if (isNothing(message)) return '';
  if (isSilence(message)) return ' No answer came in time.';
  const quoted = message.slice(0, longest);
  return `${isOfTheNetwork(message) ? network : aws}${quoted}`;
}

/** A fault's reason without the message of AWS, which may name resources of the operator. */
export const withoutVendorMessage = (reason: string): string =>
  [aws, network].reduce((text, begin) => text.split(begin)[0] ?? text, reason);
