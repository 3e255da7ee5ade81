import { defineConfig } from 'vite'
import { messages } from './vite.messages.ts'

/** `network.js` for `npm start`, `foldboard.js` for the npm package, `server.js` for `npm run server`. Only the native database stays a dependency. */
export default defineConfig({
  // The server runs machines of `src`, which have texts.
  plugins: [messages()],
  publicDir: false,
  ssr: { noExternal: true, external: ['libsql', 'bufferutil', 'utf-8-validate', 'pg-native', 'pg-cloudflare'] },
  build: {
    ssr: true,
    outDir: 'build',
    target: 'node20',
    sourcemap: true,
    license: { fileName: 'licenses.json' },
    rolldownOptions: {
      input: { network: 'network/main.ts', foldboard: 'network/foldboard.ts', server: 'server/main.ts' },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
})
