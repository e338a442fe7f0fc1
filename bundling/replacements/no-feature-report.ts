/** In place of what finds out which features of the SDK a call uses, to report them in the user agent. */
export const checkFeatures = async (): Promise<void> => await Promise.resolve();
