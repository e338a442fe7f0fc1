export { siteConfig as default } from '../../tools/documents/site/config.ts';
