type OnError = (error: unknown) => void;

/** Reports faults to the website, or to the console. A report that fails changes no answer. */
export const reporter =
  (onError: OnError = toConsole): OnError =>
  (error) => {
    try {
      onError(error);
    } catch {
      // There is nobody left to tell.
    }
  };

const toConsole: OnError = (error) => {
  // Without it, a website that sets no `onError` would never learn why its pages fail.
  // eslint-disable-next-line no-console
  console.error('@omi/website:', error);
};
