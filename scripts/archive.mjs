/** Packs the built dashboard for the `web-root` of a folding client: `npm run archive`. Prints how to install it. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
/** @type {{ version: string }} */
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const name = `foldboard-web-root-${version}.tar.gz`
const { status } = spawnSync('tar', ['--exclude=*.map', '-czf', name, '-C', 'dist', '.'], {
  cwd: root,
  stdio: 'inherit',
})
if (status !== 0) {
  console.error(`${name} could not be written: it needs the program tar (see above).`)
  process.exit(1)
}
console.log(`${name} is written. On the computer of the client:

  sudo mkdir -p /opt/foldboard && sudo tar -xzf ${name} -C /opt/foldboard
  fah-client --web-root /opt/foldboard
`)
