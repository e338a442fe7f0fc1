const loadedAt = Date.now();

export const handler = async (event, context) => {
  if (event.print) console.log(event.print);
  if (event.wait) await new Promise((resolve) => setTimeout(resolve, event.wait));
  if (event.large) return 'a'.repeat(event.large);
  if (event.nothing) return undefined;
  const { getRemainingTimeInMillis, ...told } = context;
  return {
    event,
    environment: { ...process.env },
    context: told,
    remaining: getRemainingTimeInMillis(),
    loadedAt,
  };
};
