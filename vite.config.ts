import { readFileSync } from 'node:fs'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/**
 * Whichever sheet comes first sets the order of the cascade layers, and a bundler puts the sheets of screens that load
 * later in front. So every sheet begins with the order.
 */
const layerOrder = (): Plugin => ({
  name: 'layer-order',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      const order = readFileSync('src/ui/styles/layers.css', 'utf8').trim()
      for (const file of Object.values(bundle))
        if (file.type === 'asset' && file.fileName.endsWith('.css')) file.source = `${order}${String(file.source)}`
    },
  },
})

export default defineConfig({
  plugins: [react(), layerOrder()],
  worker: { format: 'es' },
  build: { target: 'es2022', sourcemap: true, modulePreload: { polyfill: false }, cssCodeSplit: false },
})
