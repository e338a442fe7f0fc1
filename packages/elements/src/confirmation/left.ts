/** Whether the tab was left with an open request. After a reload nothing else knows, so the tab keeps this one word. */
const name = 'omi-left';

/** Where pages may store nothing, as in some frames, it throws. */
function inTab(use: (storage: Storage) => boolean): boolean {
  try {
    return use(sessionStorage);
  } catch {
    return false;
  }
}

export const keepLeft = (): boolean =>
  inTab((storage) => {
    storage.setItem(name, '1');
    return true;
  });

/** It is told once. */
export const takeLeft = (): boolean =>
  inTab((storage) => {
    const wasLeft = storage.getItem(name) !== null;
    storage.removeItem(name);
    return wasLeft;
  });
