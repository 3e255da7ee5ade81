/**
 * The package for Debian and Ubuntu: the server as a service, and its commands.
 * `node scripts/deb.mjs PROGRAM ARCHITECTURE VERSION OUT`; PROGRAM: the npm package with all that it needs.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

const packaging = resolve(import.meta.dirname, '../packaging')

/** @param {string} path @param {string} text @param {number} [mode] */
function write(path, text, mode = 0o644) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  chmodSync(path, mode)
}

/** @param {{ version: string, architecture: string }} options */
function controlOf({ version, architecture }) {
  return `Package: foldboard
Version: ${version}
Architecture: ${architecture}
Maintainer: Foldboard contributors <noreply@foldboard.example>
Depends: nodejs (>= 20.19)
Section: web
Priority: optional
Description: control panel for Folding@home clients
 A server that stays connected to folding clients, keeps their history, sends
 alerts, runs schedules, and serves the dashboard at http://localhost:7400.
`
}

const CONFIG = '/etc/foldboard/foldboard-server.toml'

/** A service is started only where systemd runs, and not in a system that is built in a folder. */
const AFTER = `#!/bin/sh
set -e
if [ "$1" = configure ] && [ -z "$DPKG_ROOT" ] && [ -d /run/systemd/system ]; then
  systemctl daemon-reload
  systemctl enable foldboard-server.service
  systemctl restart foldboard-server.service
fi
`
const BEFORE_REMOVAL = `#!/bin/sh
set -e
if [ "$1" = remove ] && [ -z "$DPKG_ROOT" ] && [ -d /run/systemd/system ]; then
  systemctl disable --now foldboard-server.service
fi
`

const [program = '', architecture = '', version = '', out = ''] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'foldboard-deb-'))
try {
  chmodSync(folder, 0o755)
  cpSync(program, join(folder, 'usr/lib/foldboard'), { recursive: true, verbatimSymlinks: true })
  for (const [command, file] of [
    ['foldboard', 'foldboard.js'],
    ['foldboard-server', 'server.js'],
  ])
    write(join(folder, `usr/bin/${command}`), `#!/bin/sh\nexec node /usr/lib/foldboard/build/${file} "$@"\n`, 0o755)
  write(
    join(folder, 'usr/lib/systemd/system/foldboard-server.service'),
    readFileSync(join(packaging, 'foldboard-server.service'), 'utf8'),
  )
  write(
    join(folder, CONFIG),
    // The folder is that of the service.
    readFileSync(join(packaging, 'foldboard-server.toml'), 'utf8').replace(
      /^folder = .*$/m,
      'folder = "/var/lib/foldboard"',
    ),
  )
  write(join(folder, 'DEBIAN/control'), controlOf({ version, architecture }))
  write(join(folder, 'DEBIAN/conffiles'), `${CONFIG}\n`)
  write(join(folder, 'DEBIAN/postinst'), AFTER, 0o755)
  write(join(folder, 'DEBIAN/prerm'), BEFORE_REMOVAL, 0o755)
  const file = join(out, `foldboard_${version}_${architecture}.deb`)
  // With more threads the bytes would depend on their number.
  const words = ['--root-owner-group', '-Zxz', '--threads-max=1', '--build', folder, file]
  const { status, stderr } = spawnSync('dpkg-deb', words, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`The package was not built: ${stderr}`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
