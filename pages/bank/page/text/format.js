/**
 * As the bank's server writes it in its questions.
 *
 * @param {number} euros
 */
export const money = (euros) =>
  `${new Intl.NumberFormat('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(euros)} €`;

/** @param {string | number} at */
export const clockTime = (at) =>
  new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' }).format(
    new Date(at),
  );

/** @param {string | number} at */
export const shortTime = (at) =>
  new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' }).format(new Date(at));

/** @param {string} at */
export const dayAndTime = (at) =>
  new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  }).format(new Date(at));
