import { join } from 'node:path';
import { type DefaultTheme, defineConfig, type UserConfig } from 'vitepress';
import { anchorOf } from './links.ts';
import { ofRepository, type Repository } from './markdown.ts';
import { navigation, sidebar } from './navigation.ts';
import { root } from './reader-paths.ts';
import { baseOf, editionOf, versionsFile } from './versions.ts';
import { createHash } from 'node:crypto';

/** Where the sources are, as GitHub's workflows know it. Without it, pages name files and do not link to them. */
function repositoryOf({ GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_SHA }: NodeJS.ProcessEnv): Repository {
  const isKnown = GITHUB_SERVER_URL !== undefined && GITHUB_REPOSITORY !== undefined;
  return {
    url: isKnown ? `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}` : undefined,
    revision: GITHUB_SHA ?? 'main',
  };
}

const hashOf = (script: string): string => `'sha256-${createHash('sha256').update(script).digest('base64')}'`;

/** The scripts in the page itself. Vue's and VitePress' own are the same on every page. */
const inlineScripts = (html: string): string[] =>
  Array.from(html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g), ([, script = '']) => script);

/** Lets a page load nothing from anywhere else, and run no script that was not built with it. */
function withPolicy(html: string): string {
  const scripts = inlineScripts(html).map(hashOf);
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${scripts.join(' ')}`.trim(),
    // The highlighter's colours are attributes.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ');
  return html.replace(
    '<meta charset="utf-8">',
    `<meta charset="utf-8">\n    <meta http-equiv="Content-Security-Policy" content="${policy}">`,
  );
}

const edition = editionOf(process.env);
const repository = repositoryOf(process.env);

const packageOf = (name: string): string => join(root, 'packages', name, 'src/index.ts');

/** What the playground imports, from its sources. */
const alias = {
  '@omi/website': packageOf('website'),
  '#elements': packageOf('elements'),
  '#testing': packageOf('testing'),
  '#website': packageOf('website'),
  'node:crypto': join(root, 'docs/.vitepress/theme/playground/node-crypto.ts'),
};

export const siteConfig: UserConfig<DefaultTheme.Config> = defineConfig({
  title: 'OMI',
  description: 'Step-up confirmation by push, and event export to your own cloud',
  lang: 'en',
  base: baseOf(edition),
  srcDir: '.vitepress/pages',
  outDir: '.vitepress/dist',
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${baseOf(edition)}icon.svg` }]],
  cacheDir: '.vitepress/cache',
  metaChunk: true,
  // Any other dead link fails the build. These lead to the reader's own machine.
  ignoreDeadLinks: 'localhostLinks',
  markdown: {
    anchor: { slugify: anchorOf },
    // Their contrast is enough, also of comments.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: (md) => ofRepository(md, repository),
  },
  vite: {
    resolve: { alias },
    define: {
      'import.meta.env.OMI_VERSION': JSON.stringify(edition.version),
      'import.meta.env.OMI_VERSIONS_URL': JSON.stringify(`${edition.rootPath}${versionsFile}`),
      'import.meta.env.OMI_ROOT_PATH': JSON.stringify(edition.rootPath),
    },
    // VitePress' esbuild is older than the language of the root's tsconfig.
    esbuild: { target: 'es2022', tsconfigRaw: '{}' },
    build: { chunkSizeWarningLimit: 2_000 },
  },
  vue: { template: { compilerOptions: { isCustomElement: (tag) => tag.startsWith('omi-') } } },
  transformHtml: withPolicy,
  themeConfig: {
    nav: navigation(),
    sidebar: sidebar(),
    outline: [2, 3],
    search: { provider: 'local', options: { detailedView: true } },
    ...(repository.url !== undefined && { socialLinks: [{ icon: 'github', link: repository.url }] }),
  },
});
