/**
 * Tabs as WAI-ARIA describes them: the arrow keys move between them, Tab goes on into the panel. A template in a panel waits
 * until the panel is shown.
 *
 * @param {HTMLElement} list
 */
export function makeTabs(list) {
  const tabs = [...list.querySelectorAll('[role=tab]')].filter((tab) => tab instanceof HTMLElement);
  /** @param {HTMLElement | undefined} chosen */
  const choose = (chosen) => {
    for (const tab of tabs) {
      const isChosen = tab === chosen;
      tab.setAttribute('aria-selected', String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
      const panel = document.getElementById(tab.getAttribute('aria-controls') ?? '');
      if (!panel) continue;
      panel.hidden = !isChosen;
      const later = isChosen ? panel.querySelector('template') : undefined;
      later?.replaceWith(later.content);
    }
  };
  list.addEventListener('click', ({ target }) => {
    if (target instanceof Element) choose(tabs.find((tab) => tab.contains(target)) ?? currentOf(tabs));
  });
  list.addEventListener('keydown', (event) => {
    const next = nextOf(event.key, tabs.length, tabs.indexOf(currentOf(tabs) ?? list));
    if (next === undefined) return;
    event.preventDefault();
    choose(tabs[next]);
    tabs[next]?.focus();
  });
}

/** @param {HTMLElement[]} tabs */
const currentOf = (tabs) => tabs.find((tab) => tab.getAttribute('aria-selected') === 'true');

/**
 * @param {string} key
 * @param {number} count
 * @param {number} current
 */
export function nextOf(key, count, current) {
  if (key === 'ArrowRight') return (current + 1) % count;
  if (key === 'ArrowLeft') return (current - 1 + count) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}
