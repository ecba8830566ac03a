import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Files smaller than about this are joined with their neighbours, so that a page asks for few of them. */
const JOINED_BYTES = 1_000
/** Our own kit. */
const KIT = /\/packages\/(contract|encoding|ports|ui|units)\/src\/(?!locales\/)/

/** Features that have pages of their own and no part in a payment. */
const DESKS =
  '(calendar|co-signer|collection|key-recovery|mail|notification|nft|push|rule-analysis|rule-draft|search|standing-order|strategy|team|tron-tools|valuation|workspace)'

/**
 * What is always needed together is one file: fewer requests, and libraries that seldom change stay in the browser's cache
 * while the pages change.
 */
const CHUNKS: { name: string; test: RegExp; entriesAware?: boolean; entriesAwareMergeThreshold?: number }[] = [
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
  // The parser is told here how to work, before any part of the console has made a schema.
  { name: 'base', test: /node_modules\/(@tanstack|i18next|react-i18next|react-router|zod)\/|\/configure-zod\.ts$/ },
  // Each part of the kit is fetched with the pages that use it, so that the sign-in page carries none of the others'.
  { name: 'kit', test: KIT, entriesAware: true, entriesAwareMergeThreshold: JOINED_BYTES },
  // A visitor fetches one language, and before signing in no more of it than the pages there say.
  ...['en-US', 'zh-CN'].flatMap((locale) => [
    { name: `${locale.toLowerCase()}-entry`, test: new RegExp(`/(apps/console|packages/ui/src|features/session)/locales/${locale}\\.json$`) },
    { name: `${locale.toLowerCase()}-pages`, test: new RegExp(`/features/[^/]+/locales/${locale}\\.json$`) },
    { name: `${locale.toLowerCase()}-late`, test: new RegExp(`/features/[^/]+/locales/pages/${locale}\\.json$`) },
  ]),
  // What payments ask for comes with the first page; what only pages of their own ask for comes with those.
  { name: 'contracts', test: new RegExp(`/features/(?!(session|setup|${DESKS})/)[^/]+/contract\\.ts$|/part-names\\.ts$`) },
  { name: 'desk-contracts', test: new RegExp(`/features/${DESKS}/contract\\.ts$`), entriesAware: true, entriesAwareMergeThreshold: 4 * JOINED_BYTES },
]

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
    rolldownOptions: { output: { codeSplitting: { groups: CHUNKS }, chunkFileNames: ({ name }) => `assets/${name.split('~', 1)[0]}-[hash].js` } },
  },
})
