/** @import { Call } from './call-text.js' */
/** @import { BankEvent } from './event-text.js' */

/** Where a server cannot stream, each answer ends, and the browser asks again after 2 s. */
const patienceMs = 5_000;

/**
 * What the bank's server tells while it happens (server-sent events). The browser connects again by itself.
 *
 * @param {{ onCall: (call: Call) => void, onEvent: (event: BankEvent) => void, onState: (isLive: boolean) => void }} listeners
 * @returns {() => void} ends it
 */
export function listen({ onCall, onEvent, onState }) {
  const source = new EventSource('/bank/live');
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let lost;
  source.addEventListener('open', () => {
    clearTimeout(lost);
    lost = undefined;
    onState(true);
  });
  source.addEventListener('error', () => (lost ??= setTimeout(() => onState(false), patienceMs)));
  source.addEventListener('call', (message) => onCall(/** @type {Call} */ (read(message))));
  source.addEventListener('event', (message) => onEvent(/** @type {BankEvent} */ (read(message))));
  return () => {
    clearTimeout(lost);
    source.close();
  };
}

/**
 * @param {MessageEvent<unknown>} message
 * @returns {unknown}
 */
const read = ({ data }) => JSON.parse(String(data));
