export const handler = (event, context, callback) => callback(null, 'called');
