import { defineConfig } from 'vite'
import base from './vite.config.ts'

/**
 * The inspector's own window is a document of its own, built beside the page's: as a second entry of one build, what
 * the two share would be moved out of what the page loads first.
 */
export default defineConfig({
  ...base,
  publicDir: false,
  build: {
    target: 'es2022',
    sourcemap: true,
    license: { fileName: 'inspector/licenses.json' },
    modulePreload: { polyfill: false },
    emptyOutDir: false,
    chunkSizeWarningLimit: 1600,
    assetsDir: 'inspector',
    rolldownOptions: { checks: { bundlerTimings: false }, input: 'inspector.html' },
  },
})
