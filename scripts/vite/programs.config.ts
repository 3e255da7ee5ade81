import { defineConfig } from 'vite'
import { messages } from './messages.ts'

/** `network.js` for `npm start`, `foldboard.js` for the npm package, `server.js` for `npm run server`. Packages stay outside: `dependencies` of package.json. */
export default defineConfig({
  // The server runs machines of `src`, which have texts.
  plugins: [messages()],
  publicDir: false,
  build: {
    ssr: true,
    outDir: 'build',
    // The demo and the release are in it.
    emptyOutDir: false,
    target: 'node20',
    sourcemap: true,
    rolldownOptions: {
      checks: { bundlerTimings: false },
      input: {
        network: 'programs/network/main.ts',
        foldboard: 'programs/network/foldboard.ts',
        server: 'programs/server/main.ts',
      },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: '[name]-[hash].js',
        // It is run before all that has texts, wherever that is.
        codeSplitting: { groups: [{ name: 'locale', test: /\/programs\/server\/locale\.ts$/, priority: 1 }] },
      },
    },
  },
})
