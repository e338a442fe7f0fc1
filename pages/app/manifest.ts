/** What an installed app is called and looks like, of a stage with a brand. */
export type ManifestBrand = { name: string; shortName?: string | undefined; color?: string | undefined };

/** The ground of the app's pages. */
const ground = '#f6f7f9';

/** The web app's manifest (https://www.w3.org/TR/appmanifest/). */
export const manifestOf = ({ name, shortName = name, color = ground }: ManifestBrand = { name: 'OMI' }) => ({
  id: '/',
  name,
  short_name: shortName,
  description: 'Confirm payments and other sensitive actions on this device.',
  start_url: '/#/',
  scope: '/',
  display: 'standalone',
  background_color: color,
  theme_color: color,
  icons: [
    { src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
    { src: '/icons/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
    { src: '/icons/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
  ],
});
