import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const work = mkdtempSync(join(tmpdir(), 'foldboard-deb-test-'))
afterAll(() => rmSync(work, { recursive: true }))

function has(command: string): boolean {
  return (process.env['PATH'] ?? '').split(':').some(folder => existsSync(join(folder, command)))
}

/** dpkg with a system of its own in a folder, where no other package is. */
function dpkgIn(folder: string): (...words: readonly string[]) => string {
  const database = join(folder, 'var/lib/dpkg')
  for (const part of ['info', 'updates']) mkdirSync(join(database, part), { recursive: true })
  for (const part of ['status', 'available']) writeFileSync(join(database, part), '')
  const folders = [`--instdir=${folder}`, `--admindir=${database}`, '--log=/dev/null']
  const force = ['--force-not-root', '--force-script-chrootless', '--force-depends']
  const env = { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin` }
  return (...words) => execFileSync('dpkg', [...folders, ...force, ...words], { encoding: 'utf8', stdio: 'pipe', env })
}

test.skipIf(!has('dpkg'))(
  'the package for Debian is installed with a server that starts, keeps settings, and goes',
  () => {
    const program = join(work, 'program')
    for (const part of ['build', 'packaging', 'package.json'])
      cpSync(join(root, part), join(program, part), {
        recursive: true,
        filter: path => !/\/(?:demo|simulation|release)$/.test(path),
      })
    symlinkSync(join(root, 'node_modules'), join(program, 'node_modules'))
    execFileSync(process.execPath, [join(root, 'scripts/deb.mjs'), program, 'amd64', '0.1.0', work])
    const file = join(work, 'foldboard_0.1.0_amd64.deb')
    expect(execFileSync('dpkg-deb', ['--field', file, 'Depends'], { encoding: 'utf8' }).trim()).toBe(
      'nodejs (>= 20.19)',
    )

    const installed = join(work, 'installed')
    const dpkg = dpkgIn(installed)
    dpkg('--install', file)
    const config = join(installed, 'etc/foldboard/foldboard-server.toml')
    expect(readFileSync(config, 'utf8')).toContain('"/var/lib/foldboard"')
    expect(readFileSync(join(installed, 'usr/bin/foldboard-server'), 'utf8')).toContain('/build/server.js')
    const words = [join(installed, 'usr/lib/foldboard/build/server.js'), '--config', config]
    // It ends with another status, which throws, when they are wrong.
    execFileSync(process.execPath, [...words, '--check-config'], { stdio: 'pipe' })
    appendFileSync(config, '# mine\n')
    dpkg('--install', file)
    expect(readFileSync(config, 'utf8')).toContain('# mine')
    dpkg('--remove', 'foldboard')
    expect(existsSync(words[0] ?? '')).toBe(false)
    expect(existsSync(config)).toBe(true)
  },
  300_000,
)

test.skipIf(!has('systemd-analyze'))('systemd accepts the units', () => {
  for (const unit of ['foldboard', 'foldboard-server'])
    execFileSync('systemd-analyze', ['verify', join(root, `packaging/${unit}.service`)], { stdio: 'pipe' })
})
