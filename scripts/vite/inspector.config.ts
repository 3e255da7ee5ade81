import { defineConfig } from 'vite'
import base, { plugins } from '../../vite.config.ts'
import { messages } from './messages.ts'

/**
 * The inspector's window is a separate document with a build of its own: as a second entry of one build, the code that
 * both share would be moved out of the page's first chunk.
 */
export default defineConfig({
  ...base,
  // The inspector is in English: it shows names from the code.
  plugins: [...plugins, messages()],
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
