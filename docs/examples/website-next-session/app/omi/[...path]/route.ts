export { routes as DELETE, routes as GET, routes as POST } from '../../../omi.ts';
