import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const work = mkdtempSync(join(tmpdir(), 'foldboard-deb-test-'))
afterAll(() => rmSync(work, { recursive: true }))

function has(command: string): boolean {
  return (process.env['PATH'] ?? '').split(':').some(folder => existsSync(join(folder, command)))
}

test.skipIf(!has('dpkg-deb'))('the package for Debian has a server that starts from it, and its settings', () => {
  const program = join(work, 'program')
  for (const part of ['build', 'packaging', 'package.json'])
    cpSync(join(root, part), join(program, part), {
      recursive: true,
      filter: path => !/\/(?:demo|simulation|release)$/.test(path),
    })
  symlinkSync(join(root, 'node_modules'), join(program, 'node_modules'))
  execFileSync(process.execPath, [join(root, 'scripts/deb.mjs'), program, 'amd64', '0.1.0', work])
  const file = join(work, 'foldboard_0.1.0_amd64.deb')
  expect(execFileSync('dpkg-deb', ['--field', file, 'Depends'], { encoding: 'utf8' }).trim()).toBe('nodejs (>= 20.19)')

  const installed = join(work, 'installed')
  mkdirSync(installed)
  execFileSync('dpkg-deb', ['-x', file, installed])
  const words = [
    join(installed, 'usr/lib/foldboard/build/server.js'),
    '--config',
    join(installed, 'etc/foldboard/foldboard-server.toml'),
  ]
  // It ends with another status, which throws, when they are wrong.
  execFileSync(process.execPath, [...words, '--check-config'], { stdio: 'pipe' })
  expect(readFileSync(join(installed, 'etc/foldboard/foldboard-server.toml'), 'utf8')).toContain('"/var/lib/foldboard"')
  if (has('systemd-analyze'))
    execFileSync('systemd-analyze', ['verify', join(root, 'packaging/foldboard-server.service')], { stdio: 'pipe' })
})
