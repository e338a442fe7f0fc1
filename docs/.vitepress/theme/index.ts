import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { h } from 'vue';
import { ElementPlayground } from './playground/element-playground.ts';
import './style.css';
import { VersionChooser } from './version-chooser.ts';

/** VitePress' own theme with the fonts of the reader's machine, a chooser of versions, and the playground. */
export default {
  extends: DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, null, {
      'nav-bar-content-after': () => h(VersionChooser),
      'nav-screen-content-after': () => h(VersionChooser),
    }),
  enhanceApp: ({ app }) => {
    app.component('ElementPlayground', ElementPlayground);
  },
} satisfies Theme;
