/** Rich authorization details as people read them: every member that is signed, in its order, with all digits. */

/** @typedef {{ name: string, value: string, level: number }} DetailRow */

/**
 * @param {string} source the JSON text that the phone signs
 * @returns {DetailRow[] | undefined} undefined if it is not JSON; show it as it is then
 */
export function detailRows(source) {
  try {
    return rowsOf(JSON.parse(source, keepDigits), 0);
  } catch {
    return undefined;
  }
}

/**
 * `JSON.parse` rounds long numbers. What is shown must be what is signed.
 *
 * @param {string} _key
 * @param {unknown} value
 * @param {{ source?: string }} [context] not in older browsers
 */
function keepDigits(_key, value, context) {
  return typeof value === 'number' ? { [LITERAL]: context?.source ?? String(value) } : value;
}

const LITERAL = Symbol('literal');

/**
 * @param {unknown} node
 * @param {number} level
 * @returns {DetailRow[]}
 */
function rowsOf(node, level) {
  if (typeof node !== 'object' || node === null || LITERAL in node)
    return [{ name: '', value: textOf(node), level }];
  return Object.entries(node).flatMap(([key, value]) => {
    const name = Array.isArray(node) ? `${Number(key) + 1}.` : key;
    if (isLeaf(value)) return [{ name, value: textOf(value), level }];
    return [{ name, value: '', level }, ...rowsOf(value, level + 1)];
  });
}

/** @param {unknown} value */
const isLeaf = (value) =>
  typeof value !== 'object' || value === null || LITERAL in value || Object.keys(value).length === 0;

/** @param {unknown} value */
function textOf(value) {
  if (typeof value === 'object' && value !== null)
    return LITERAL in value ? String(value[LITERAL]) : '(empty)';
  return String(value);
}
