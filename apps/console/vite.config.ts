import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** The page asks for its face before it has read the styles that name it. */
const facesAhead: Plugin = {
  name: 'faces-ahead',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) =>
      Object.keys(bundle)
        .filter((name) => name.endsWith('.woff2'))
        .map((name) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/mpc/${name}` },
          injectTo: 'head',
        })),
  },
}

/** Builds the console: served under /mpc, assets under /mpc/assets, no inline script. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/mpc/',
  plugins: [react(), facesAhead],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsDir: 'assets',
    // A data: URL would need a hole in the content security policy of fonts and styles; small files are files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
    cssCodeSplit: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1200,
    // Of a file that several pages share, the name would list them all, in every list of files.
    rolldownOptions: { output: { chunkFileNames: ({ name }) => `assets/${name.split('~', 1)[0]}-[hash].js` } },
  },
})
