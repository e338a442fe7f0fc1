export { signIn as POST } from '../../../website-bank.ts';
