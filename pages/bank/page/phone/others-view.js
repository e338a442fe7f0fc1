import { foreign, h } from '../dom.js';
import { plural, shortTime } from '../text/format.js';

/** @import { PhoneState } from './state.js' */

/**
 * What changes the list.
 *
 * @param {PhoneState} state
 */
export const othersKey = ({ waiting: [, ...others], answering }) =>
  JSON.stringify([answering, others.map(({ challenge }) => challenge.challengeId)]);

/**
 * The other requests that wait, to choose from: the next to expire first.
 *
 * @param {PhoneState} state
 * @param {(challengeId: string) => void} choose
 */
export function othersView({ waiting: [, ...others], answering }, choose) {
  if (others.length === 0) return undefined;
  const busy = answering !== undefined && 'true';
  return h(
    'section',
    { class: 'others', 'aria-label': 'Other requests' },
    h('p', { class: 'soft' }, `${plural(others.length, 'more request')} to answer`),
    h(
      'ul',
      {},
      ...others.map(({ challenge: { challengeId, message }, deadline }) =>
        h(
          'li',
          {},
          h(
            'button',
            {
              type: 'button',
              class: 'other',
              'data-challenge': challengeId,
              'aria-disabled': busy,
              click: () => choose(challengeId),
            },
            h('span', { class: 'other-message' }, foreign(message)),
            h('span', { class: 'soft' }, `until ${shortTime(deadline)}`),
          ),
        ),
      ),
    ),
  );
}
