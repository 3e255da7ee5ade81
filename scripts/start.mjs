/** Starts what `npm start` or, with the word `server`, `npm run server` built. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const isServer = process.argv[2] === 'server'
if (isServer) process.argv.splice(2, 1)
const built = new URL(isServer ? '../build/server.js' : '../build/network.js', import.meta.url)
if (!existsSync(fileURLToPath(built))) {
  console.error(
    `Nothing has been built yet. Run \`${isServer ? 'npm run server' : 'npm start'}\` (without --ignore-scripts), or \`node scripts/set-up.mjs --build\` first.`,
  )
  process.exit(1)
}
await import(built.href)
