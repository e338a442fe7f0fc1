/** The service writes for operators, too. On this page its reader is the tenant. */
export const toReader = (text: string): string =>
  text
    .replaceAll(/\b([Tt])he tenant's\b/g, (_, first: string) => (first === 'T' ? 'Your' : 'your'))
    .replaceAll(/\b([Tt])he tenant has\b/g, (_, first: string) => (first === 'T' ? 'You have' : 'you have'))
    .replaceAll(/\b([Tt])he tenant\b/g, (_, first: string) => (first === 'T' ? 'You' : 'you'));
