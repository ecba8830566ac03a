import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/**
 * The gallery of the design system: every part in all its states, for those who work on it and for the tests that compare its
 * pictures. No part of the console's build. Look at it: `npx vite apps/console/gallery`.
 */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [react()],
  build: { outDir: 'dist', emptyOutDir: true, target: 'es2023', assetsInlineLimit: 0, modulePreload: { polyfill: false }, chunkSizeWarningLimit: 3000 },
})
