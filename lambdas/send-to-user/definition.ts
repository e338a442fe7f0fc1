export { environment, lambda } from '../send-definition.ts';
