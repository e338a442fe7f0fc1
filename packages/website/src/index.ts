/** A website's side of OMI: ask a user to confirm, and check the answer. */
export * from './routes/index.ts';
