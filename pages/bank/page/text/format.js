/**
 * @param {number} amount
 * @param {string} currency
 */
export const money = (amount, currency = 'EUR') =>
  new Intl.NumberFormat('en-IE', { style: 'currency', currency }).format(amount);

/** @param {string | number} at */
export const clockTime = (at) =>
  new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' }).format(
    new Date(at),
  );

/** @param {string | number} at */
export const shortTime = (at) =>
  new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' }).format(new Date(at));
