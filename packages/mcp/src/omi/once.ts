/** Does the work when it is needed first, and again only after a failure. */
export function once<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let done: Promise<Result> | undefined;
  return async () => {
    done ??= work();
    try {
      return await done;
    } catch (error) {
      done = undefined;
      throw error;
    }
  };
}
