import { byId, fill, foreign, h, inputOf } from '../dom.js';
import { money, shortTime } from '../text/format.js';

/** @import { Account } from './api.js' */

/** @param {Account} account */
export function drawAccount({ user, balance, limit, address, payments }) {
  fill(byId('user-name'), user.name);
  fill(byId('greeting'), `Hello, ${user.name.split(' ')[0] ?? user.name}`);
  fill(byId('balance'), money(balance));
  fill(byId('limit'), money(limit));
  fill(byId('address'), address);
  inputOf('street').defaultValue = address;
  inputOf('new-limit').defaultValue = String(limit + 500);
  fill(byId('payments'), ...payments.toReversed().slice(0, 5).map(paymentRow));
  byId('payments-none').hidden = payments.length > 0;
}

/** @param {Account['payments'][number]} payment */
const paymentRow = ({ at, to, amount }) =>
  h(
    'li',
    {},
    h('span', {}, foreign(to)),
    h('span', { class: 'muted' }, shortTime(at)),
    h('span', { class: 'amount' }, `−${money(amount)}`),
  );
