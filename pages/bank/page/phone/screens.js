/** The phone's screens but for a request that waits: pure functions of what they show. */
import { foreign, h, icon } from '../dom.js';

/** @import { EnrolmentPreview } from '/assets/omi-device.js' */
/** @import { Outcome, PhoneState } from './state.js' */
/** @import { Scanning } from './screen.js' */

/** @param {string} text */
const heading = (text) => h('h3', { tabindex: '-1' }, text);

export const loadingView = () =>
  h('div', { class: 'phone-page centred' }, h('span', { class: 'spinner' }), h('p', {}, 'Starting …'));

/** @param {Parameters<typeof h>[2][]} children */
const unknownPhone = (...children) => h('div', { class: 'phone-page centred' }, ...children);

/** A phone that the bank does not know yet. */
export const blankView = () =>
  unknownPhone(
    h('span', { class: 'badge' }, icon('phone')),
    heading('Not connected yet'),
    h(
      'p',
      { class: 'soft' },
      'The bank does not know this phone. Ask the website for a code; then scan it here.',
    ),
  );

/**
 * A code that the website shows, and for whom it is.
 *
 * @param {Scanning} scanning
 * @param {{ read: () => void, connect: () => void }} actions
 */
export function scanView({ forWhom, isWorking, problem }, { read, connect }) {
  return unknownPhone(
    h('span', { class: 'finder' }, icon('code')),
    heading('A code to scan'),
    forWhom && h('p', { class: 'asker' }, icon('bank'), h('span', {}, 'For ', ...namesOf(forWhom))),
    h(
      'p',
      { class: 'soft' },
      'This phone makes a key pair. The private key stays in it; the bank gets the public one.',
    ),
    problem !== undefined && h('p', { class: 'problem', role: 'alert' }, problem),
    h(
      'button',
      {
        type: 'button',
        class: 'button primary',
        'aria-disabled': isWorking && 'true',
        click: forWhom ? connect : read,
      },
      labelOf(forWhom, isWorking),
    ),
  );
}

/** @param {EnrolmentPreview} preview */
const namesOf = ({ tenant, account }) => [
  h('strong', {}, foreign(tenant)),
  ...(account === undefined ? [] : [' · ', foreign(account)]),
];

/**
 * @param {EnrolmentPreview | undefined} forWhom
 * @param {boolean} isWorking
 */
function labelOf(forWhom, isWorking) {
  if (isWorking) return forWhom ? 'Connecting …' : 'Reading the code …';
  return forWhom ? 'Scan with this phone' : 'Read the code again';
}

/** @param {boolean} isUnreachable */
export const idleView = (isUnreachable) =>
  h(
    'div',
    { class: 'phone-page centred' },
    h('span', { class: 'badge' }, icon(isUnreachable ? 'alert' : 'shield')),
    heading(isUnreachable ? 'No connection' : 'Nothing to confirm'),
    h(
      'p',
      { class: 'soft' },
      isUnreachable
        ? 'OMI gives no answer. This phone tries again.'
        : 'When the bank asks you something, it appears here.',
    ),
  );

/** @param {() => void} forget */
export const removedView = (forget) =>
  h(
    'div',
    { class: 'phone-page centred bad' },
    h('span', { class: 'badge' }, icon('lock')),
    heading('This phone was removed'),
    h(
      'p',
      { class: 'soft' },
      'OMI takes no answer of its key any more. Whoever finds this phone can confirm nothing.',
    ),
    h('button', { type: 'button', class: 'button', click: forget }, 'Put it away'),
  );

/** @type {Record<Outcome, { icon: string, title: string, text: string, class: string }>} */
const outcomes = {
  confirmed: {
    icon: 'check',
    title: 'Confirmed',
    text: 'You signed exactly this. The bank can prove it.',
    class: 'good',
  },
  denied: { icon: 'cross', title: 'Denied', text: 'The bank does nothing.', class: '' },
  not_me: {
    icon: 'alert',
    title: 'Reported',
    text: 'The bank does nothing, and OMI sends you no requests for a while: whoever asked cannot wear you out.',
    class: 'bad',
  },
  expired: {
    icon: 'clock',
    title: 'Too late',
    text: 'The time to answer is over. Nothing happened.',
    class: '',
  },
  gone: {
    icon: 'cross',
    title: 'No longer open',
    text: 'The request was withdrawn, or answered elsewhere.',
    class: '',
  },
  'wrong-number': {
    icon: 'alert',
    title: 'Wrong number',
    text: 'The request has ended, and nothing happened. A thief cannot try the numbers one by one.',
    class: 'bad',
  },
  mismatch: {
    icon: 'alert',
    title: 'Not signed',
    text: 'The message was not the one that the bank had asked, so nothing was confirmed.',
    class: 'bad',
  },
};

/**
 * @param {NonNullable<PhoneState['ended']>} ended
 * @param {number} waiting how many requests wait behind it
 * @param {() => void} dismiss
 */
export function endedView({ challenge, outcome }, waiting, dismiss) {
  const { title, text, ...look } = outcomes[outcome];
  return h(
    'div',
    { class: `phone-page centred ${look.class}` },
    h('span', { class: 'badge' }, icon(look.icon)),
    heading(title),
    h('blockquote', {}, foreign(challenge.message)),
    h('p', { class: 'soft' }, text),
    h('button', { type: 'button', class: 'button', click: dismiss }, waiting > 0 ? 'Next request' : 'Done'),
  );
}
