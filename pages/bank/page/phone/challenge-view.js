import { readContext } from '/assets/omi-device.js';
import { fieldOf, foreign, h, icon } from '../dom.js';
import { detailRows } from '../text/details.js';
import { ago } from '../text/format.js';

/** @import { Challenge, ChallengeContext } from '/assets/omi-device.js' */
/** @import { Decision, PhoneState } from './state.js' */

/** @typedef {{ answer: (decision: Decision, number?: string) => void }} ChallengeActions */

/** @type {Record<string, string>} */
const purposes = {
  'add-device': 'This adds another phone to your account.',
  'remove-device': 'This removes a phone from your account.',
};

/**
 * A request that waits: who asks, for what, exactly which words, and how long.
 *
 * @param {Challenge} challenge
 * @param {PhoneState} state
 * @param {ChallengeActions} actions
 */
export function challengeView(challenge, state, { answer }) {
  const { message, details } = challenge;
  const { requester, purpose, device, requestedFrom } = readContext(challenge.context);
  const form = h(
    'form',
    { class: 'phone-page request', novalidate: true },
    h(
      'div',
      { class: 'request-head' },
      h('h3', { tabindex: '-1' }, 'Is this you?'),
      h('p', { class: 'timer', role: 'timer', 'aria-label': 'Time left' }),
    ),
    h('p', { class: 'asker' }, icon('bank'), h('span', {}, foreign(askerOf(requester)), ' asks')),
    requestedFrom && originView(requestedFrom, challenge),
    purpose !== undefined &&
      h(
        'p',
        { class: 'purpose' },
        icon('alert'),
        h('span', {}, purposes[purpose] ?? foreign(purpose), device && h('strong', {}, foreign(device.name))),
      ),
    h('p', { class: 'message' }, foreign(message)),
    details !== undefined && detailsView(details),
    numbersView(challenge, state),
    h('p', { class: 'problem', role: 'alert', hidden: !state.problem }, state.problem ?? ''),
    buttons(state, answer),
    h('div', { 'data-others': '' }),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    confirm(form, challenge, state, answer);
  });
  return form;
}

/**
 * Where the request was started, such as "Firefox on Windows · Köln · 2 minutes ago".
 *
 * @param {NonNullable<ChallengeContext['requestedFrom']>} origin
 * @param {Challenge} challenge
 */
function originView({ browser, place, ip }, { createdAt }) {
  const known = [browser, place].filter((part) => part !== undefined);
  const parts = (known.length > 0 ? known : [ip ?? '']).flatMap((part) => [foreign(part), ' · ']);
  return h(
    'p',
    { class: 'origin' },
    icon('globe'),
    h('span', {}, 'Started from ', ...parts, h('time', { datetime: createdAt }, ago(createdAt, Date.now()))),
  );
}

/** @param {ChallengeContext['requester']} requester */
const askerOf = (requester) =>
  [requester?.tenant, requester?.client].filter(Boolean).join(' · ') || 'Somebody unknown';

/**
 * @param {HTMLFormElement} form
 * @param {Challenge} challenge
 * @param {PhoneState} state
 * @param {ChallengeActions['answer']} answer
 */
function confirm(form, { matchNumbers }, { asksNumber }, answer) {
  const number = fieldOf(form, 'number').trim();
  const needsNumber = matchNumbers !== undefined || asksNumber;
  if (!needsNumber) answer('confirm');
  else if (number !== '') answer('confirm', number);
  else askForNumber(form);
}

/** @param {HTMLFormElement} form */
function askForNumber(form) {
  const problem = form.querySelector('.problem');
  if (!(problem instanceof HTMLElement)) return;
  problem.hidden = false;
  problem.textContent =
    'Choose the number that the website shows. No number there? Then it was not you: deny.';
  form.querySelector('input')?.focus();
}

/**
 * @param {Challenge} challenge
 * @param {PhoneState} state
 */
function numbersView({ matchNumbers }, { asksNumber }) {
  if (matchNumbers)
    return h(
      'fieldset',
      { class: 'numbers' },
      h('legend', {}, 'Which number does the website show?'),
      h(
        'div',
        { class: 'number-choices' },
        ...matchNumbers.map((number) =>
          h(
            'label',
            { class: 'number' },
            h('input', { type: 'radio', name: 'number', value: number }),
            h('span', {}, number),
          ),
        ),
      ),
    );
  if (!asksNumber) return undefined;
  return h(
    'label',
    { class: 'field' },
    'Type the number that the website shows',
    h('input', { name: 'number', inputmode: 'numeric', autocomplete: 'off', maxlength: 6 }),
  );
}

/**
 * @param {PhoneState} state
 * @param {ChallengeActions['answer']} answer
 */
function buttons({ answering }, answer) {
  const busy = answering !== undefined && 'true';
  return h(
    'div',
    { class: 'answer' },
    h(
      'button',
      { type: 'button', class: 'button', 'aria-disabled': busy, click: () => answer('deny') },
      'Deny',
    ),
    h(
      'button',
      { type: 'submit', class: 'button primary', 'aria-disabled': busy },
      answering === 'confirm' ? 'Signing …' : 'Confirm',
    ),
    h(
      'button',
      { type: 'button', class: 'button quiet danger', 'aria-disabled': busy, click: () => answer('not_me') },
      'This was not me',
    ),
  );
}

/** @param {string} source */
function detailsView(source) {
  const rows = detailRows(source);
  return h(
    'section',
    { class: 'details', 'aria-label': 'Details' },
    rows
      ? h(
          'dl',
          {},
          ...rows.map(({ name, value, level }) =>
            h(
              'div',
              { class: `row level-${Math.min(level, 4)}` },
              h('dt', {}, foreign(name)),
              h('dd', {}, foreign(value)),
            ),
          ),
        )
      : h('pre', {}, source),
  );
}
