import { defineConfig } from 'vite'

export default defineConfig({
  publicDir: false,
  build: {
    ssr: 'network/main.ts',
    outDir: 'build',
    target: 'node20',
    sourcemap: true,
    rolldownOptions: { output: { entryFileNames: 'network.js' } },
  },
})
