import { byId, formOf } from '../dom.js';

/**
 * The forms of the actions, with their tabs.
 *
 * @type {Record<string, [form: string, tab: string] | undefined>}
 */
const forms = {
  payment: ['pay', 'tab-pay'],
  address: ['change-address', 'tab-address'],
  limit: ['raise-limit', 'tab-limit'],
};

/** A form that was sent before the page was ready comes back in the address, filled in. */
export function takeEarlyForm() {
  const fields = new URLSearchParams(location.search);
  const [formId, tabId] = forms[fields.get('action') ?? ''] ?? [];
  if (formId === undefined || tabId === undefined) return;
  history.replaceState(null, '', location.pathname);
  byId(tabId).click();
  for (const control of formOf(formId).elements) {
    if (!(control instanceof HTMLInputElement) || control.type === 'hidden') continue;
    control.value = fields.get(control.name) ?? control.value;
  }
}
