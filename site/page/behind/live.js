/** @import { Call } from './call-text.js' */
/** @import { BankEvent } from './event-text.js' */

/**
 * What the bank's server tells while it happens (server-sent events). The browser connects again by itself.
 *
 * @param {{ onCall: (call: Call) => void, onEvent: (event: BankEvent) => void, onState: (isLive: boolean) => void }} listeners
 * @returns {() => void} ends it
 */
export function listen({ onCall, onEvent, onState }) {
  const source = new EventSource('/bank/live');
  source.addEventListener('open', () => onState(true));
  source.addEventListener('error', () => onState(false));
  source.addEventListener('call', (message) => onCall(/** @type {Call} */ (read(message))));
  source.addEventListener('event', (message) => onEvent(/** @type {BankEvent} */ (read(message))));
  return () => source.close();
}

/**
 * @param {MessageEvent<unknown>} message
 * @returns {unknown}
 */
const read = ({ data }) => JSON.parse(String(data));
