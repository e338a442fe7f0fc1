/** In place of what chooses a set of defaults by `AWS_DEFAULTS_MODE`: every client here says itself what it wants. */
export const resolveDefaultsModeConfig = () => async (): Promise<'legacy'> => await Promise.resolve('legacy');
