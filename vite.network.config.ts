import { defineConfig } from 'vite'

/** `network.js` for `npm start`, `foldboard.js` for the npm package. Only the native database stays a dependency. */
export default defineConfig({
  publicDir: false,
  ssr: { noExternal: true, external: ['libsql', 'bufferutil', 'utf-8-validate'] },
  build: {
    ssr: true,
    outDir: 'build',
    target: 'node20',
    sourcemap: true,
    license: { fileName: 'licenses.json' },
    rolldownOptions: {
      input: { network: 'network/main.ts', foldboard: 'network/foldboard.ts' },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
})
